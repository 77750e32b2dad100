"""`sabot enrol` from lists: what is written, every refusal in one sentence, exit codes, and no tag in any word."""

import json
import resource
from collections.abc import Callable
from pathlib import Path

import pytest

from gateway_config.house_files import FACES, House, tag_of
from sabot_gateway.config import load
from sabot_tools.cli import main
from tools.enrol.enrol_process import EnrolProcess

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


@pytest.fixture
def run(house: House, capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*words: str) -> tuple[int, str, str]:
        code = main(["enrol", *words, "--config", str(house.file)])
        said = capsys.readouterr()
        return code, said.out, said.err

    return call


def deck_list(house: House, faces: list[str] = FACES, head: str = "card,tag") -> str:
    lines = [head, *(f"{face},04CC00000000{place:02X}" for place, face in enumerate(faces))]
    return str(house.write("deck list.csv", "\r\n".join(lines) + "\r\n"))


def tag_list(house: House, *lines: str, head: str = "tag") -> str:
    return str(house.write("tags.csv", "\n".join((head, *lines)) + "\n"))


def content(house: House) -> dict[str, str]:
    return {name: (house.folder / name).read_text() for name in ("chips.csv", "decks.csv", "badges.csv")}


def test_a_deck_from_a_list_is_registered(house: House, run: Run) -> None:
    before = content(house)
    code, said, _ = run("deck", "blue-7", "--colour", "blue", "--csv", deck_list(house))
    assert (code, said) == (0, "Deck blue-7 (blue) is registered: 52 cards.\n")
    registers = load(house.file).registers
    assert registers.decks["blue-7"].colour == "blue"
    assert sum(card.deck == "blue-7" for card in registers.cards.values()) == 52
    assert content(house) == {**before, "decks.csv": content(house)["decks.csv"]}
    assert content(house)["decks.csv"].startswith(before["decks.csv"])


def test_chips_of_one_value_and_of_many(house: House, run: Run) -> None:
    file = tag_list(house, "04dd0001", "04dd0002")
    assert run("chips", "--value", "0.50", "--count", "2", "--csv", file)[:2] == (
        0,
        "Chips are registered: 2 of 0.50.\n",
    )
    file = tag_list(house, "04dd0003,2500", "04dd0004,100", head="tag,value_cents")
    assert run("chips", "--csv", file)[1] == "Chips are registered: 1 of 1.00, 1 of 25.00.\n"
    chips = load(house.file).registers.chips
    assert sorted(chip.value_cents for chip in chips.values()) == [50, 50, 100, 500, 1000, 2500]


def test_badges_one_and_many(house: House, run: Run) -> None:
    assert run("badge", "p-8", "--role", "technician", "--csv", tag_list(house, "0badbad8"))[0] == 0
    file = tag_list(house, "0badba01,p-21,dealer", "0badba02,p-22,table_head", head="tag,person,role")
    assert run("badge", "--csv", file)[:2] == (0, "2 badges are registered.\n")
    people = {person.id: str(person.role) for person in load(house.file).registers.badges.values()}
    assert people == {
        "p-17": "dealer",
        "p-3": "table_head",
        "p-8": "technician",
        "p-21": "dealer",
        "p-22": "table_head",
    }


def test_decks_chips_and_badges_are_taken_out_again(house: House, run: Run) -> None:
    assert run("retire", "d1")[:2] == (0, "Deck d1 is retired; its tags are free.\n")
    assert run("take-back", "p-17")[:2] == (0, "The badge of p-17 opens nothing any more.\n")
    assert run("withdraw", "--csv", tag_list(house, "04a1000000000a"))[:2] == (0, "Chips that are withdrawn now: 1.\n")
    code, said, _ = run("list", "--json")
    assert code == 0
    assert json.loads(said) == {
        "decks": [{"deck": "d2", "colour": "blue"}],
        "chips": [
            {"value_cents": 500, "state": "withdrawn", "count": 1},
            {"value_cents": 1000, "state": "withdrawn", "count": 1},
        ],
        "badges": [{"person": "p-3", "role": "table_head"}],
    }
    assert run("restore", "--csv", tag_list(house, "04a1000000000a", "04a1000000000b"))[0] == 0
    assert "5.00 × 1" in run("list")[1]


def test_json_tells_what_was_done_and_a_dry_run_does_nothing(house: House, run: Run) -> None:
    before = content(house)
    file = deck_list(house)
    code, said, _ = run("deck", "d3", "--colour", "red", "--csv", file, "--dry-run", "--json")
    told = {"action": "deck", "name": "d3", "tags": 52, "file": f"{house.folder}/decks.csv", "written": False}
    assert (code, json.loads(said)) == (0, told)
    assert content(house) == before
    assert json.loads(run("deck", "d3", "--colour", "red", "--csv", file, "--json")[1]) == {**told, "written": True}


REFUSALS = {
    "a tag twice": (["04dd0001", "04dd0002", "04DD0001"], "tags.csv: line 4: its tag stands in line 2 already."),
    "no UID": (["04dd00"], "tags.csv: line 2: its tag is no UID of 4, 7, 8 or 10 bytes in hexadecimal."),
    "no tag": ([], "tags.csv: holds no tag."),
    "too many fields": (["04dd0001,5"], "tags.csv: line 2: has 2 fields instead of 1."),
    "a known chip": (["04dd0001", "04a1000000000b"], "Tag 2 of 2 is registered already (chips.csv, line 3)."),
    "a known card": ([tag_of("3c")], "This tag is registered already (decks.csv, line 6)."),
    "a wrong count": (["04dd0001"], "There are 1 tags instead of 2; nothing was registered."),
    "an open quote": (['"04dd0001'], "tags.csv: line 2: is no line of comma-separated values."),
}


@pytest.mark.parametrize("fault", REFUSALS)
def test_a_list_that_is_wrong_is_refused_in_one_sentence(house: House, run: Run, fault: str) -> None:
    before = content(house)
    lines, sentence = REFUSALS[fault]
    count = ["--count", "2"] if fault == "a wrong count" else []
    code, said, complaint = run("chips", "--value", "5", "--csv", tag_list(house, *lines), *count)
    assert (code, said) == (1, "")
    assert complaint.startswith("sabot enrol: ")
    assert complaint.endswith(f"{sentence}\n")
    assert complaint.count("\n") == 1
    assert content(house) == before
    assert [line for line in lines if line and line in complaint] == []


@pytest.mark.parametrize(
    ("faces", "head", "sentence"),
    [
        (FACES[:51], "card,tag", "has 51 cards instead of 52."),
        ([*FACES[:51], "2c"], "card,tag", "line 53: its card stands in an earlier line."),
        (
            [*FACES[:51], "1c"],
            "card,tag",
            "line 53: its card must be a rank of 23456789TJQKA and a suit of cdhs, such as As.",
        ),
        (FACES, "tag,card", "line 1: must be the heading card,tag."),
    ],
)
def test_a_deck_that_is_not_52_cards_is_refused(
    house: House, run: Run, faces: list[str], head: str, sentence: str
) -> None:
    code, _, complaint = run("deck", "d3", "--colour", "red", "--csv", deck_list(house, faces, head))
    assert (code, complaint) == (1, f"sabot enrol: {house.folder}/deck list.csv: {sentence}\n")


STARTS = {
    "no source": (["deck", "d3", "--colour", "red"], "Say where the tags come from: --device ID, --port DEV or --csv"),
    "two sources": (
        ["deck", "d3", "--colour", "red", "--csv", "x", "--device", "t1-a"],
        "The tags come from a list or from a reader, not from both.",
    ),
    "no such device": (["deck", "d3", "--colour", "red", "--device", "t9"], "There is no controller t9 in the house."),
    "no such port": (["badge", "p", "--role", "dealer", "--port", "/nowhere"], "There is no port /nowhere"),
    "no such list": (["chips", "--value", "5", "--csv", "/nowhere"], "/nowhere: cannot be read (No such file"),
    "no value": (["chips", "--device", "t1-a"], "Say what each chip is worth: --value V."),
    "no amount": (["chips", "--value", "0.5", "--csv", "x"], "--value must be an amount above 0, such as 25 or 0.50."),
    "a negative count": (["chips", "--value", "5", "--count", "-1", "--csv", "x"], "--count must be a number above 0."),
    "nobody": (["badge", "--csv", "x", "--role", "dealer"], "Say whose badge it is: PERSON and --role R"),
    "no role": (["badge", "p-9", "--csv", "x"], "Say what p-9 is: --role dealer|table_head|technician|surveillance."),
    "half a certificate": (["badge", "p-9", "--certificate", "x"], "--certificate and --key go together."),
}


@pytest.mark.parametrize("fault", STARTS)
def test_what_cannot_begin_says_so_with_exit_code_2(run: Run, fault: str) -> None:
    words, sentence = STARTS[fault]
    code, said, complaint = run(*words)
    assert (code, said) == (2, "")
    assert complaint.startswith(f"sabot enrol: {sentence}")
    assert complaint.count("\n") == 1


def test_wrong_settings_and_registers_are_named_before_anything_is_read(house: House, run: Run) -> None:
    house.append("04a1000000000a,5,in_play\n", "chips.csv")
    code, _, complaint = run("list")
    assert code == 2
    assert complaint == (
        f"sabot enrol: {house.folder}/chips.csv: line 4: its tag stands in chips.csv, line 2, already.\n"
    )


def test_the_gateways_own_certificate_is_not_used_beside_it(house: House, run: Run) -> None:
    pem = house.write("gateway.pem", "x")
    house.append(f'[broker]\nurl = "mqtts://127.0.0.1:1"\ncertificate = "{pem}"\nkey = "{pem}"\n')
    pem.chmod(0o600)
    code, _, complaint = run("badge", "p-9", "--role", "dealer", "--device", "t1-a")
    assert code == 2
    assert "would push the gateway off: give a technician's with --certificate and --key." in complaint


def test_a_disk_that_is_full_leaves_the_register_as_it_was(house: House) -> None:
    before = content(house)
    file = deck_list(house)

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1_024, 1_024))

    process = EnrolProcess(house.file, "deck", "d3", "--colour", "red", "--csv", file, prepare=limit)
    assert process.finish() == (2, "")
    assert f"The registers cannot be written: {house.folder}/decks.csv (File too large).\n" in process.said
    assert content(house) == before
    assert [path.name for path in house.folder.iterdir() if path.name.startswith(".")] == []
