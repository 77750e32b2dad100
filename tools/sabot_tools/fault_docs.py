"""docs/settle-codes.md: every code that `sabot settle` can answer with, and its sentence.

Written from the table that the rules speak from, so that the page cannot miss a code.
"""

from collections.abc import Mapping

from sabot_gateway.rules.rejection import SENTENCES

_HEAD = """# The codes of a refusal

Every `code` of a rejected coup or check of [sabot settle](settle.md), and of the violations in `deal_check` and
`window_check`. Codes are stable: programs may rely on them. The `message` of an answer adds seat and detail, and the
`rule` beside it is the one that was broken. This page is generated (`make docs`); a test fails when it is not current.

| code | says |
| --- | --- |
"""


def pages() -> Mapping[str, str]:
    rows = "".join(f"| `{code}` | {said[0].upper()}{said[1:]}. |\n" for code, said in sorted(SENTENCES.items()))
    return {"docs/settle-codes.md": _HEAD + rows}
