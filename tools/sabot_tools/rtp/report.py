"""Returns for people (a table) and for programs (one flat record per bet)."""

from collections.abc import Sequence

from sabot_tools.rtp.bet_return import Return, decimal, percent


def table_of(found: Sequence[Return]) -> str:
    """One block per bet: the percentages, the fraction they come from, and its counts."""
    return "\n\n".join("\n".join(_block(bet)) for bet in found)


def record_of(bet: Return) -> dict[str, object]:
    record: dict[str, object] = {
        "game": bet.game.value,
        "bet": bet.bet,
        "strategy": bet.strategy,
        "exact": bet.margin is None,
        "rtp": percent(bet.rtp),
        "house_edge": percent(bet.house_edge),
        "net": bet.numerator,
        "deals": bet.denominator,
        "counts": dict(bet.counts),
    }
    if bet.average_stake is not None:
        record["average_stake"] = decimal(bet.average_stake)
    if bet.margin is not None:
        record["margin_95"] = percent(bet.margin)
    return record


def _block(bet: Return) -> list[str]:
    lines = [
        f"{bet.game} {bet.bet} ({bet.strategy})",
        f"  return to player  {percent(bet.rtp):>12} %",
        f"  house edge        {percent(bet.house_edge):>12} %",
    ]
    if bet.margin is not None:
        lines.append(f"  95 % interval     {'+-' + percent(bet.margin):>12} %   sampled, not exact")
    lines.append(f"  net / deals       {bet.numerator:,} / {bet.denominator:,}")
    if bet.average_stake is not None and bet.average_stake != 1:
        lines.append(f"  average stake     {decimal(bet.average_stake)} x the first stake")
    width = max((len(name) for name, _ in bet.counts), default=0)
    lines += [f"    {name:<{width}}  {number:>26,}" for name, number in bet.counts]
    return lines
