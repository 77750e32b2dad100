"""Which course each game takes."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from sabot_gateway.model.game import Game
from sabot_gateway.table.bank_course import BANK_COURSES
from sabot_gateway.table.game_course import Course
from sabot_gateway.table.holdem_course import HOLDEM_COURSE
from sabot_gateway.table.state import Table

COURSES: Final[Mapping[Game, Course]] = MappingProxyType({**BANK_COURSES, Game.THE: HOLDEM_COURSE})


def course_of(table: Table) -> Course:
    return COURSES[table.setup.game]
