"""Every reason that the service's own alarms name has words in French and in English, and their sentences say them."""

import pytest

from sabot_gateway.journal.error import ErrorCode
from sabot_gateway.mqtt.ingested import Trouble, TroubleCode
from sabot_gateway.mqtt.refusal_reason import REASONS, told_of
from sabot_gateway.runtime.alarm import device_trouble, journal_fault, messages_refused
from sabot_gateway.runtime.alarm_words import JOURNAL_ERRORS, PLAYED, REFUSALS
from sabot_gateway.table.alerts.words import Vocabulary
from sabot_protocol import messages
from sabot_protocol.errors import CODES


def test_every_refusal_has_words() -> None:
    assert set(REFUSALS) == {*CODES, *messages.REFUSAL[1], *REASONS}


def test_whatever_a_controller_refuses_has_words() -> None:
    assert set(PLAYED) == {told_of(channel, code, 1) for channel in messages.CHANNEL[1] for code in CODES}


def test_every_error_of_the_journal_has_words() -> None:
    assert set(JOURNAL_ERRORS) == set(ErrorCode)


@pytest.mark.parametrize("words", [REFUSALS, PLAYED, JOURNAL_ERRORS])
def test_words_are_words(words: Vocabulary) -> None:
    for code, pair in words.items():
        for said in pair:
            assert said
            assert "_" not in said, code


def test_alarms_say_words_and_keep_the_code_as_evidence() -> None:
    refused = messages_refused("desk", "not_authentic", 5)
    assert refused.fr == (
        "Des messages au nom de desk sont mis en quarantaine, sceau brisé : rejeu, copie ou mauvaise clé."
    )
    assert dict(refused.evidence)["reason"] == "not_authentic"
    hello = device_trouble(Trouble("desk", "T1", TroubleCode.REFUSED, "digest_unknown", 5))
    assert hello.en == (
        "The controller desk is refused: the house does not know its software; its events are quarantined."
    )
    played = device_trouble(Trouble("desk", "T1", TroubleCode.PLAYED_TO, "lamps bad_envelope", 5))
    assert "lamps channel, the envelope is not in Sabot's form" in played.en
    assert "canal des témoins, enveloppe mal faite" in played.fr
    assert "il n'y a plus de place" in journal_fault(ErrorCode.FULL, 5).fr
