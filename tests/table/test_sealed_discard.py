"""Law 7 and STU-59: a buyer lays a card aside face down, and it is collected so: nobody is told which."""

from typing import Any

from sabot_gateway.table.view import view_of
from web.web_stage import played


def test_a_discard_stays_face_down_when_the_hand_is_turned() -> None:
    for left_out in range(6):
        seats: Any = view_of(played("stu-card-bought", left_out))["seats"]
        shown = {card for seat in seats for card in seat["cards"]}
        assert "Kc" not in shown, left_out
