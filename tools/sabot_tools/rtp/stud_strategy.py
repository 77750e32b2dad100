"""Plain strategies of casino stud by name; kept apart from the kernels so that a help page loads none."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

# Strategy -> the weakest hand that raises.
FLOORS: Final[Mapping[str, str]] = MappingProxyType(
    {"a-k-j-8-3": "AcKdJh8s3c", "any-pair": "2c2d3h4s5c", "ace-king": "AcKd4h3s2c", "always": "7c5d4h3s2c"}
)
STRATEGIES: Final = ("optimal", *FLOORS)
