"""The settings of a connection: what cannot be is refused, and where the gateway speaks of itself."""

from pathlib import Path

import pytest

from sabot_gateway.mqtt.port import BrokerSettings, Tls
from sabot_protocol.topics import subscriptions


@pytest.mark.parametrize(
    "wrong",
    [
        {"site": "Dieppe"},
        {"gateway": "pit/1"},
        {"gateway": ""},
        {"receive_maximum": 0},
        {"receive_maximum": 65_536},
        {"tls": Tls(certificate=Path("own.pem"))},
        {"tls": Tls(key=Path("own.key"))},
    ],
    ids=str,
)
def test_a_value_that_cannot_be_is_refused_with_a_sentence(wrong: dict[str, object]) -> None:
    values: dict[str, object] = {"site": "dieppe", "gateway": "pit-1", "host": "localhost"}
    with pytest.raises(ValueError, match=r"^A .+\.$"):
        BrokerSettings(**(values | wrong))  # type: ignore[arg-type]  # wrong on purpose


def test_no_gateway_hears_a_gateways_status_as_a_controllers() -> None:
    """A filter's + stands for exactly one level, so a topic of other depth or prefix cannot match."""
    settings = BrokerSettings("dieppe", "pit-1", "localhost")
    assert settings.filters == tuple(subscriptions("dieppe"))
    assert settings.status_topic == "sabot/gateway/v1/dieppe/pit-1/status"
    for topic_filter in settings.filters:
        assert topic_filter.split("/")[:2] != settings.status_topic.split("/")[:2]


def test_a_password_is_in_no_text() -> None:
    assert "hunter2" not in repr(BrokerSettings("dieppe", "pit-1", "localhost", username="g", password="hunter2"))
