"""What each figure of `/metrics` means, in a sentence for Prometheus and for docs/operations.md."""

from typing import Final

HELP: Final = {
    "sabot_messages_total": "Event messages of controllers that could be opened and read.",
    "sabot_events_total": "Events taken: new, in order, on their way to the journal.",
    "sabot_statuses_total": "Births, wills and goodbyes of controllers.",
    "sabot_duplicates_total": "Messages that brought nothing new.",
    "sabot_ahead_total": "Messages behind a hole, left with the controller until the hole is filled.",
    "sabot_late_total": "Messages of events that had been given up.",
    "sabot_twins_total": "Messages under a name that two controllers use.",
    "sabot_resends_total": "Questions for missing events.",
    "sabot_refused_total": "Messages that were refused.",
    "sabot_refused_bytes_total": "Bytes of the messages that were refused.",
    "sabot_refused_unkept_total": "Refused messages beyond what the quarantine keeps: only counted.",
    "sabot_records_written_total": "Records of tables and house that became durable.",
    "sabot_messages_sent_total": "Acks, lamp pictures and commands sent.",
    "sabot_lamps_resent_total": "Lamp pictures sent again because nobody confirmed them.",
    "sabot_lamps_unconfirmed": "Tables whose lamp picture no controller has confirmed.",
    "sabot_records_waiting": "Records that wait to become durable; growing, the journal is too slow or not well.",
    "sabot_tables": "Tables that this gateway follows.",
    "sabot_tables_not_followed": "Tables faulted alone, or taken over by another gateway.",
    "sabot_alerts_open": "Open alerts of the tables and of the house.",
    "sabot_journal_is_well": "1 while the journal takes records; at 0 nothing is acknowledged and play stops.",
    "sabot_broker_is_connected": "1 while the broker is there.",
    "sabot_journal_last_id": "The newest record that this gateway wrote or read.",
    "sabot_output_told_total": "Alerts and settlements that the receiver has taken.",
    "sabot_output_refused_total": "Alerts and settlements that the receiver will never take, passed over.",
    "sabot_output_failures": "Attempts that have failed one after the other; 0 after a success.",
    "sabot_output_upto": "The record up to which the receiver has been told.",
}
