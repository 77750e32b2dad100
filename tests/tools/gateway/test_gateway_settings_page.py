"""The settings page lists every key that the gateway takes."""

from conftest import ROOT
from sabot_gateway.settings.key_table import DEVICE, SECTIONS
from sabot_tools.gateway_settings_page import PAGE, pages


def test_the_page_is_current() -> None:
    assert pages()[PAGE] == (ROOT / PAGE).read_text(encoding="utf-8")


def test_every_key_is_on_the_page() -> None:
    text = (ROOT / PAGE).read_text(encoding="utf-8")
    keys = [key.name for section in (*SECTIONS.values(), DEVICE) for key in section.keys]
    assert len(keys) > 60
    assert [key for key in keys if f"| `{key}` |" not in text] == []
    assert [name for name in SECTIONS if name and f"[{name}]" not in text] == []
