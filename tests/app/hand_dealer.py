"""A dealer who plays poker trois cartes by hand through a `Sender`: one coup as a table's sensors see it."""

from pathlib import Path

from app.hand_sender import Sender
from gateway_config.house_files import FACES, tag_of

HEAD, DEALER = "0badbad2", "0badbad1"
VALUES = (500, 1000)
PURSE = {value: [f"04{value:04x}00{number:04x}00" for number in range(40)] for value in VALUES}
DEAL = "Kc 7d Qh Kd 5s 9c 2c 3h 4d"  # rounds: seat 2, seat 5, the dealer


def write_chips(file: Path) -> None:
    lines = [f"{tag},{value},in_play" for value, tags in PURSE.items() for tag in tags]
    file.write_text("tag,value_cents,state\n" + "\n".join(lines) + "\n")


def every_tag() -> list[str]:
    """What must never stand in a log."""
    return [*(tag for tags in PURSE.values() for tag in tags), *(tag_of(face) for face in FACES), HEAD, DEALER]


class HandDealer:
    def __init__(self, sender: Sender) -> None:
        self._sender = sender
        self._purse = {value: list(tags) for value, tags in PURSE.items()}
        self._lying: dict[tuple[int, str], list[str]] = {}

    def key(self, name: str, seat: int = 0) -> None:
        self._sender.tell("key_pressed", key=name, seat=seat)

    def badge(self, tag: str) -> None:
        self._sender.tell("badge_read", uid=bytes.fromhex(tag))

    def rack(self, faces: list[str]) -> None:
        """The whole content of the discard rack, in two parts where it is a whole deck."""
        halves = [faces[:26], faces[26:]] if len(faces) > 26 else [faces]
        self._sender.tell_parts(
            "discard_read",
            *(
                {"part": part, "of": len(halves), "uids": [bytes.fromhex(tag_of(face)) for face in half]}
                for part, half in enumerate(halves, start=1)
            ),
        )

    def lay(self, seat: int, spot: str, cents: int) -> None:
        """Makes a spot hold exactly `cents`: the chips lying there stay if it grows, and leave if it shrinks."""
        tags = self._lying.setdefault((seat, spot), [])
        if cents < self._worth(tags):
            tags.clear()
        lacking = cents - self._worth(tags)
        for value in reversed(VALUES):
            while lacking >= value:
                tags.append(self._purse[value].pop())
                lacking -= value
        assert lacking == 0
        self._sender.tell("chips_read", seat=seat, spot=spot, part=1, of=1, uids=[bytes.fromhex(tag) for tag in tags])

    def open(self) -> None:
        """A séance with a counted deck."""
        self.badge(HEAD)
        self.key("open_session")
        self.badge(DEALER)
        self.key("new_deck")
        self.rack(FACES)
        self.key("announce")
        self.rack([])
        self.key("shuffle")
        self.key("cut", 1)
        self._sender.tell("cut_card")

    def stake_and_deal(self) -> None:
        self.lay(2, "ante", 1000)
        self.lay(5, "ante", 1000)
        self.lay(5, "pair_plus", 500)
        self.key("bets_closed")
        for face in DEAL.split():
            self._sender.tell("card_scanned", reader=0, uid=bytes.fromhex(tag_of(face)))

    def decide_and_reveal(self) -> None:
        self.lay(2, "play", 1000)
        self.key("fold", 5)
        self.key("reveal")

    def pay(self) -> None:
        """As the book has it: the losing stakes of seat 5 go, seat 2's ante and play are doubled."""
        self.lay(5, "ante", 0)
        self.lay(5, "pair_plus", 0)
        self.lay(2, "ante", 2000)
        self.lay(2, "play", 2000)

    def collect(self) -> None:
        self.rack(FACES)

    @staticmethod
    def _worth(tags: list[str]) -> int:
        return sum(value for tag in tags for value in VALUES if tag in PURSE[value])
