"""`sabot gateway --check` and `--init`: what a person at the console sees, and the exit codes."""

import json
import stat
from pathlib import Path

import pytest

from gateway_config.house_files import House
from sabot_tools.cli import main


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


def test_check_says_what_the_settings_add_up_to(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["gateway", "--check", "--config", str(house.file)]) == 0
    said = capsys.readouterr().out
    assert "riviera" in said
    assert "table        t1: TCF by house-tcf (" in said
    assert "Table t2 plays by the shipped example values" in said
    assert not (house.folder / "data").exists()


def test_check_for_programs(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["gateway", "--check", "--json", "--config", str(house.file)]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert [table["name"] for table in summary["tables"]] == ["t1", "t2"]
    assert (summary["chips"], summary["decks"], summary["badges"], summary["controllers"]) == (2, 2, 2, 2)


def test_check_prints_no_secret(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    house.secret("password", b"open sesame")
    house.append(
        '\n[broker]\nurl = "mqtt://b"\nusername = "u"\npassword_file = "password"\n'
        '[store]\npostgresql = "postgresql://sabot:sesame@db/sabot"\n'
    )
    assert main(["gateway", "--check", "--config", str(house.file)]) == 0
    assert "sesame" not in capsys.readouterr().out


def test_check_warns_of_doors_that_stand_open(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    house.replace("sabot.toml", 'listen = "none"', 'listen = "0.0.0.0:8080"')
    house.append('\n[embedded]\nlisten = "0.0.0.0:1883"\n')
    assert main(["gateway", "--check", "--json", "--config", str(house.file)]) == 0
    warnings = json.loads(capsys.readouterr().out)["warnings"]
    assert "The embedded broker listens on the network and asks nobody for a password." in warnings
    assert "The pages listen on the network without TLS: passwords can be overheard." in warnings


def test_check_tries_the_certificates(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    house.write("web.pem", "no certificate")
    house.secret("web.key", b"no key")
    house.replace(
        "sabot.toml", 'listen = "none"', 'listen = "127.0.0.1:8443"\ncertificate = "web.pem"\nkey = "web.key"'
    )
    assert main(["gateway", "--check", "--config", str(house.file)]) == 2
    folder = house.folder
    assert capsys.readouterr().err == (
        f"sabot gateway: {house.file}: web.certificate: "
        f"{folder}/web.pem and {folder}/web.key are no certificate with its key.\n"
    )
    house.replace(
        "sabot.toml",
        '"web.pem"\nkey = "web.key"',
        '"web.pem"\nkey = "web.key"\n[broker]\nurl = "mqtts://b"\nca = "web.pem"',
    )
    assert main(["gateway", "--check", "--config", str(house.file)]) == 2
    assert "web.pem" in capsys.readouterr().err


def test_wrong_settings_are_one_sentence_and_exit_2(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    house.replace("sabot.toml", "site =", "cite =")
    for words in (["--check"], []):
        assert main(["gateway", *words, "--config", str(house.file)]) == 2
        captured = capsys.readouterr()
        assert captured.err == f"sabot gateway: {house.file}: cite: is not a setting; did you mean `site`.\n"
        assert captured.out == ""


def test_without_config_the_file_of_this_folder_is_taken(
    house: House, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(house.folder)
    assert main(["gateway", "--check"]) == 0
    house.file.unlink()
    capsys.readouterr()
    assert main(["gateway", "--check"]) == 2
    assert capsys.readouterr().err == (
        "sabot gateway: There is no sabot.toml in this folder; give --config FILE, or begin with --init FOLDER.\n"
    )


def test_init_writes_a_house_that_checks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "casino"
    assert main(["gateway", "--init", str(folder)]) == 0
    assert main(["gateway", "--check", "--config", str(folder / "sabot.toml")]) == 0
    assert "There is no table yet." in capsys.readouterr().out
    for name in ("data", "devices"):
        assert stat.S_IMODE((folder / name).stat().st_mode) == 0o700


def test_init_overwrites_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["gateway", "--init", str(tmp_path)]) == 0
    file = tmp_path / "sabot.toml"
    file.write_text("mine")
    assert main(["gateway", "--init", str(tmp_path)]) == 2
    assert file.read_text() == "mine"
    assert capsys.readouterr().err == f"sabot gateway: {file}: is there already and was left as it is.\n"


def test_init_where_nothing_can_be_written(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["gateway", "--init", "/proc/sabot"]) == 2
    assert "cannot be written" in capsys.readouterr().err
