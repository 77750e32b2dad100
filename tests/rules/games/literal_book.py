"""The rule book read aloud: a slow, literal second opinion on the four bank games.

Shares no code with the product beyond the spelling of cards: hands are texts,
five-card hands are tried one by one, and each stake asks the sentences of the
book in turn. Returns cents gained per spot; rule ids are not its business.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import ceil, floor

Hand = tuple[str, ...]
Score = tuple[int, list[int]]

THREE = ["high_card", "pair", "flush", "straight", "trips", "straight_flush"]
FIVE = ["high_card", "pair", "two_pair", "trips", "straight", "flush", "full_house", "quads", *THREE[5:], "royal_flush"]


def score(hand: Sequence[str], ace_low: bool = True) -> tuple[str, Score]:
    """The name of a three- or five-card hand, and what to compare."""
    ranks = sorted(("23456789TJQKA".index(card[0]) + 2 for card in hand), reverse=True)
    groups = sorted(Counter(ranks).items(), key=lambda item: (-item[1], -item[0]))
    shape = [count for _, count in groups]
    ordered = [rank for rank, _ in groups]
    suited = len({card[1] for card in hand}) == 1
    size = len(hand)
    top = ranks[0] if ranks == list(range(ranks[0], ranks[0] - size, -1)) else 0
    if ace_low and ranks == [14, *range(size, 1, -1)]:
        top = size  # the ace counts one: 3-2-A, 5-4-3-2-A
    if top:
        ordered = [top]
    if size == 3:
        name = {(3,): "trips", (2, 1): "pair"}.get(tuple(shape), "high_card")
    else:
        name = {
            (4, 1): "quads",
            (3, 2): "full_house",
            (3, 1, 1): "trips",
            (2, 2, 1): "two_pair",
            (2, 1, 1, 1): "pair",
        }.get(tuple(shape), "high_card")
    if suited and top:
        name = "royal_flush" if size == 5 and top == 14 else "straight_flush"
    elif suited:
        name = "flush"
    elif top:
        name = "straight"
    return name, ((THREE if size == 3 else FIVE).index(name), ordered)


def best(cards: Sequence[str], ace_low: bool = True) -> tuple[str, Score]:
    """The best five of them all."""
    return max((score(five, ace_low) for five in combinations(cards, 5)), key=lambda found: found[1])


def times(table: Mapping[str, object], name: str) -> Fraction | None:
    odds = table.get(name)
    if odds is None:
        return None
    if isinstance(odds, int):
        return Fraction(odds)
    assert isinstance(odds, list)
    return Fraction(*odds)


def table_of(cfg: Mapping[str, object], name: str) -> Mapping[str, object]:
    found = cfg[name]
    assert isinstance(found, Mapping)
    return found


def poker_trois_cartes(
    cards: Hand, bets: Mapping[str, int], decision: str, claims: Sequence[str], house: Hand, cfg: Mapping[str, object]
) -> dict[str, int]:
    low = bool(cfg["ace_low_straight"])
    name, mine = score(cards, low)
    theirs_name, theirs = score(house, low)
    qualified = theirs_name != "high_card" or any(card[0] in "QKA" for card in house)
    net: dict[str, int] = {}
    ante = bets["ante"]
    if decision == "fold":
        net["ante"] = -ante
    elif not qualified:
        net["ante"], net["play"] = ante, 0
    elif mine < theirs:
        net["ante"], net["play"] = -ante, -bets["play"]
    elif mine == theirs:
        net["ante"], net["play"] = 0, 0
    else:
        net["ante"] = int(ante * (times(table_of(cfg, "ante_win_table"), name) or 1))
        net["play"] = bets["play"]
    must_claim = bool(cfg["claim_required"]) and not qualified and decision == "raise"
    if bets.get("pair_plus"):
        gain = times(table_of(cfg, "pair_plus_table"), name)
        kept = decision == "fold" and cfg["pair_plus_on_fold"] == "forfeit"
        unpaid = gain is None or kept or (must_claim and "pair_plus" not in claims)
        net["pair_plus"] = -bets["pair_plus"] if unpaid or gain is None else int(bets["pair_plus"] * gain)
    gain = times(table_of(cfg, "bonus_table"), name)
    earned = gain is not None and decision == "raise" and not (must_claim and "bonus" not in claims)
    if cfg["bonus_mode"] == "separate_stake" and bets.get("bonus"):
        net["bonus"] = int(bets["bonus"] * gain) if earned and gain else -bets["bonus"]
    if cfg["bonus_mode"] == "ante_bonus" and earned and gain:
        net["bonus"] = int(ante * gain)
    return net


def stud(
    cards: Hand, bets: Mapping[str, int], decision: str, claims: Sequence[str], house: Hand, cfg: Mapping[str, object]
) -> dict[str, int]:
    """`cards` are the final five; a bet on `buy` says that one of them was bought."""
    name, mine = score(cards)
    theirs_name, theirs = score(house)
    qualified = theirs_name != "high_card" or {"A", "K"} <= {card[0] for card in house}
    net: dict[str, int] = {}
    bonus = bets.get("bonus", 0)
    if decision == "fold":
        net["ante"] = -bets["ante"]
        if bonus:
            net["bonus"] = -bonus
        return net
    result = "unqualified" if not qualified else "win" if mine > theirs else "lose" if mine < theirs else "tie"
    net["ante"] = {"unqualified": 1, "win": 1, "lose": -1, "tie": 0}[result] * bets["ante"]
    net["raise"] = {"unqualified": 0, "win": None, "lose": -bets["raise"], "tie": 0}[result] or 0
    if result == "win":
        net["raise"] = int(bets["raise"] * (times(table_of(cfg, "raise_table"), name) or 0))
    if bets.get("buy"):
        net["buy"] = -bets["buy"]
    if bonus:
        gain = times(table_of(cfg, "bonus_table"), name)
        paid = gain is not None and not bets.get("buy") and result != "lose"
        if result == "tie":
            paid = paid and cfg["bonus_on_tie"] == "pay"
        if result == "unqualified" and cfg["claim_required"] and "bonus" not in claims:
            paid = False
        net["bonus"] = int(bonus * gain) if paid and gain else -bonus
        if result == "tie" and gain is not None and not bets.get("buy") and cfg["bonus_on_tie"] == "push":
            net["bonus"] = 0
    return net


def three_card_poker(
    cards: Hand, bets: Mapping[str, int], decision: str, _claims: Sequence[str], house: Hand, cfg: Mapping[str, object]
) -> dict[str, int]:
    name, mine = score(cards)
    theirs_name, theirs = score(house)
    queen = theirs_name != "high_card" or any(card[0] in "QKA" for card in house)
    net: dict[str, int] = {}
    if decision == "fold":
        net["ante"] = -bets["ante"]
    else:
        sign = 0 if not queen else (mine > theirs) - (mine < theirs)
        net["ante"] = bets["ante"] * (1 if not queen else sign)
        net["play"] = bets["play"] * sign
        gain = times(table_of(cfg, "ante_bonus_table"), name)
        if gain:
            net["ante_bonus"] = int(bets["ante"] * gain)
    if bets.get("pair_plus"):
        line = "mini_royal" if name == "straight_flush" and {c[0] for c in cards} == set("AKQ") else name
        gain = times(table_of(cfg, "pair_plus_table"), line)
        net["pair_plus"] = int(bets["pair_plus"] * (gain or -1))
    if bets.get("six_card"):
        gain = times(table_of(cfg, "six_card_table"), best(cards + house, bool(cfg["six_card_wheel"]))[0])
        net["six_card"] = int(bets["six_card"] * (gain or -1))
    return net


def ultimate_holdem(
    cards: Hand, bets: Mapping[str, int], decision: str, board: Hand, house: Hand, cfg: Mapping[str, object]
) -> dict[str, int]:
    wheel = bool(cfg["wheel"])
    name, mine = best(cards + board, wheel)
    theirs_name, theirs = best(house + board, wheel)
    net: dict[str, int] = {}
    if decision == "fold":
        net["ante"] = net["blind"] = -bets["ante"]
    else:
        sign = (mine > theirs) - (mine < theirs)
        net["ante"] = 0 if theirs_name == "high_card" else sign * bets["ante"]
        net["play"] = sign * bets["play"]
        gain = times(table_of(cfg, "blind_table"), name)
        net["blind"] = -bets["blind"] if sign < 0 else 0
        if sign > 0 and gain is not None:
            net["blind"] = in_chips(bets["blind"] * gain, cfg)
    if bets.get("trips"):
        gain = times(table_of(cfg, "trips_table"), name)
        net["trips"] = -bets["trips"] if gain is None else int(bets["trips"] * gain)
        if decision == "fold" and cfg["trips_on_fold"] == "forfeit":
            net["trips"] = -bets["trips"]
        if decision != "fold" and mine == theirs and cfg["trips_on_tie"] == "push":
            net["trips"] = 0
    return net


def in_chips(exact: Fraction, cfg: Mapping[str, object]) -> int:
    unit = cfg["chip_unit"]
    assert isinstance(unit, int)
    chips = exact / unit
    whole = {"floor": floor(chips), "ceil": ceil(chips), "half_up": floor(chips + Fraction(1, 2))}
    return whole[str(cfg["rounding"])] * unit
