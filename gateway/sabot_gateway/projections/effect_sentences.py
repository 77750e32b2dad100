"""Every effect as one sentence: what Sabot concluded, showed, raised and cleared.

Law 7: a settlement is said by its status alone. What each spot gets is shown by the table as its rules allow, and by
the recall of a coup that is over.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, assert_never

from sabot_gateway.model import effect as effects
from sabot_gateway.model.felt import Colour
from sabot_gateway.model.game import Game
from sabot_gateway.model.settlement import Status
from sabot_gateway.projections.sentence import Scene, Sentence, because, by_whom, money, place, seat_name, timer_name

_Detail = Mapping[str, int | str]


def effect_sentence(effect: effects.Effect, scene: Scene) -> Sentence:
    match effect:
        case effects.SetLamps(revision=revision, picture=picture, display=display):
            return _lamps(revision, picture, display, scene)
        case effects.RaiseAlert(alert=alert):
            times = (
                Sentence(f" ({alert.count}e fois)", f" (time {alert.count})") if alert.count > 1 else Sentence("", "")
            )
            return Sentence(f"Alerte : {alert.fr}{times.fr}", f"Alert: {alert.en}{times.en}")
        case effects.ClearAlert(alert=alert_id, how=how, by=by, reason=reason):
            fr, en = _ENDS.get(how, (how, how))
            who, why = by_whom(by), because(reason)
            return Sentence(
                f"Fin de l'alerte {alert_id} : {fr}{who.fr}{why.fr}.",
                f"Alert {alert_id} is over: {en}{who.en}{why.en}.",
            )
        case effects.RecordSettlement(number=number, settlement=settlement, by=by):
            fr, en = _STATUSES[settlement.status]
            who = by_whom(by)
            return Sentence(f"Coup {number} {fr}{who.fr}.", f"Coup {number} is {en}{who.en}.")
        case effects.RecordDecision(number=number, kind=kind, detail=detail):
            return _note(number, kind, dict(detail), scene)
        case effects.StartTimer(timer=timer, after_ms=after_ms):
            seconds = after_ms // 1000
            what = timer_name(timer)
            return Sentence(f"Délai : {what.fr}, {seconds} s.", f"Time limit: {what.en}, {seconds} s.")
        case effects.CancelTimer(timer=timer):
            what = timer_name(timer)
            return Sentence(f"Délai levé : {what.fr}.", f"Time limit lifted: {what.en}.")
        case _:
            assert_never(effect)


def _lamps(
    revision: int, picture: tuple[effects.Lamp, ...], display: tuple[effects.Line, ...], scene: Scene
) -> Sentence:
    fr, en = [], []
    for lamp in picture:
        where, (colour_fr, colour_en) = place(lamp.seat, lamp.spot, scene.game), _COLOURS[lamp.colour]
        worth = Sentence("", "")
        if lamp.amount_cents is not None:
            amount = money(lamp.amount_cents, scene.game)
            worth = Sentence(f" {amount.fr}", f" {amount.en}")
        fr.append(f"{where.fr} {colour_fr}{worth.fr}")
        en.append(f"{where.en} {colour_en}{worth.en}")
    lit = Sentence(", ".join(fr) or "tous éteints", ", ".join(en) or "all dark")
    words = Sentence(" / ".join(line.fr for line in display), " / ".join(line.en for line in display))
    shown = Sentence(f" ; afficheur : {words.fr}", f"; display: {words.en}") if display else Sentence("", "")
    return Sentence(f"Témoins {revision} : {lit.fr}{shown.fr}.", f"Lamps {revision}: {lit.en}{shown.en}.")


def _note(number: int, kind: str, detail: _Detail, scene: Scene) -> Sentence:
    seat = int(detail.get("seat", 0))
    who = seat_name(seat)
    by = str(detail.get("by", ""))
    match kind:
        case "phase":
            return Sentence(*_PHASES[str(detail["to"])])
        case "bets_closed":
            players = str(detail["players"]).replace(",", ", ")
            return Sentence(f"Les jeux sont faits, sièges {players}.", f"The bets are closed, seats {players}.")
        case "decision":
            return _decision(seat, str(detail["decision"]), scene)
        case "action":
            return _action(seat, str(detail["act"]), int(detail["to"]), scene)
        case "coup_finished":
            return Sentence(f"Le coup {number} est terminé.", f"Coup {number} is over.")
        case "seance_opening":
            return Sentence(f"{by} ouvre la séance.", f"{by} opens the séance.")
        case "seance_closed":
            return Sentence(f"{by} ferme la séance.", f"{by} closes the séance.")
        case "configured":
            changed, ruleset = str(detail["changed"]).split(","), detail["ruleset"]
            fr = ", ".join(_SETUP_PARTS.get(part, (part, part))[0] for part in changed)
            en = ", ".join(_SETUP_PARTS.get(part, (part, part))[1] for part in changed)
            return Sentence(
                f"La table est réglée de nouveau ({fr}), règlement {ruleset}.",
                f"The table is configured anew ({en}), ruleset {ruleset}.",
            )
        case "last_hands":
            hands = detail["hands"]
            return Sentence(f"Les {hands} dernières mains.", f"The last {hands} hands.")
        case "hand_confirmed":
            return Sentence(f"{who.fr} : main confirmée par {by}.", f"{who.en}: the hand is confirmed by {by}.")
        case "deck_counted":
            deck = detail["deck"]
            return Sentence(f"Le jeu {deck} est compté et complet.", f"Deck {deck} is counted and complete.")
        case "shuffled":
            return Sentence("Le jeu est mélangé.", "The deck is shuffled.")
        case "button_drawn":
            return Sentence(f"Le sort donne le bouton au siège {seat}.", f"The draw gives the button to seat {seat}.")
        case "button_placed":
            return Sentence(f"Le bouton est posé au siège {seat}.", f"The button is placed at seat {seat}.")
        case "cave":
            worth = money(int(detail["amount_cents"]), scene.game)
            return Sentence(f"Siège {seat} se cave de {worth.fr}.", f"Seat {seat} buys in for {worth.en}.")
        case "stake_consigned":
            worth = money(int(detail["amount_cents"]), scene.game)
            return Sentence(f"Siège {seat} : {worth.fr} consignés.", f"Seat {seat}: {worth.en} is consigned.")
        case "consignment_claimed":
            worth = money(int(detail["amount_cents"]), scene.game)
            return Sentence(f"{worth.fr} consignés sont réclamés.", f"A consigned {worth.en} is claimed.")
        case "stake_orphaned":
            worth = money(int(detail["amount_cents"]), scene.game)
            return Sentence(f"{worth.fr} consignés restent orphelins.", f"A consigned {worth.en} is left unclaimed.")
        case "chips_exchanged":
            where, worth = place(seat, str(detail["spot"]), scene.game), money(int(detail["amount_cents"]), scene.game)
            return Sentence(
                f"Jetons échangés, {where.fr} : toujours {worth.fr}.", f"Chips exchanged, {where.en}: still {worth.en}."
            )
        case "recave_wanted":
            return Sentence(f"Siège {seat} demande une recave.", f"Seat {seat} asks for a recave.")
        case "shown":
            return Sentence(f"Siège {seat} montre sa main.", f"Seat {seat} shows the hand.")
        case "mucked":
            return Sentence(f"Siège {seat} jette sa main.", f"Seat {seat} mucks the hand.")
        case "rake":
            took, due = money(int(detail["amount_cents"]), scene.game), money(int(detail["due_cents"]), scene.game)
            return Sentence(f"Cagnotte : {took.fr} pour {due.fr} dus.", f"Rake: {took.en}, {due.en} were due.")
        case _:
            # A journal of a later release may know more; its words are shown as they are.
            said = " ".join([kind.replace("_", " "), *(f"{name}={value}" for name, value in detail.items())])
            return Sentence(f"{said}.", f"{said}.")


def _decision(seat: int, decision: str, scene: Scene) -> Sentence:
    if decision == "fold":
        fr = _FOLDS.get(scene.game, "passe") if scene.game is not None else "passe"
        return Sentence(f"Siège {seat} {fr}.", f"Seat {seat} folds.")
    if decision == "check":
        fr = "passe" if scene.game is Game.UTH else "fait parole"
        return Sentence(f"Siège {seat} {fr}.", f"Seat {seat} checks.")
    staked = scene.bets.get((seat, "raise")) or scene.bets.get((seat, "play"))
    worth = Sentence("", "")
    if staked:
        amount = money(staked, scene.game)
        worth = Sentence(f" {amount.fr}", f" {amount.en}")
    fr, en = _RAISES.get(decision, (decision, decision))
    return Sentence(f"Siège {seat} {fr}{worth.fr}.", f"Seat {seat} {en}{worth.en}.")


def _action(seat: int, act: str, to: int, scene: Scene) -> Sentence:
    fr, en, has_amount = _ACTS[act]
    if not has_amount:
        return Sentence(f"Siège {seat} {fr}.", f"Seat {seat} {en}.")
    worth = money(to, scene.game)
    return Sentence(f"Siège {seat} {fr} {worth.fr}.", f"Seat {seat} {en} {worth.en}.")


_SETUP_PARTS: Final = MappingProxyType(
    {
        "ruleset": ("le règlement", "the ruleset"),
        "chips": ("les jetons", "the chips"),
        "cards": ("les cartes", "the cards"),
        "decks": ("les jeux de cartes", "the decks"),
        "badges": ("les badges", "the badges"),
        "timing": ("les délais", "the time limits"),
        "fitted": ("l'équipement", "the equipment"),
    }
)
_ENDS: Final = MappingProxyType(
    {
        "corrected": ("corrigée", "corrected"),
        "cleared": ("classée", "cleared"),
        "overridden": ("passé outre", "overridden"),
        "confirmed": ("main confirmée", "the hand is confirmed"),
        "coup_end": ("fin du coup", "the coup is over"),
        "void": ("coup nul", "the coup is void"),
    }
)
_STATUSES: Final = MappingProxyType(
    {
        Status.SETTLED: ("réglé", "settled"),
        Status.VOID: ("nul", "void"),
        Status.REJECTED: ("non réglé", "not settled"),
    }
)
_PHASES: Final = MappingProxyType(
    {
        "idle": ("La table attend le prochain coup.", "The table waits for the next coup."),
        "betting": ("Les mises sont ouvertes.", "The bets are open."),
        "dealing": ("Donne des cartes.", "The cards are dealt."),
        "deciding": ("Les joueurs décident.", "The players decide."),
        "revealing": ("Les mains sont à montrer.", "The hands are to be shown."),
        "paying": ("Paiements.", "Payments."),
        "clearing": ("Les cartes sont à ramasser.", "The cards are to be collected."),
    }
)
_FOLDS: Final[Mapping[Game, str]] = MappingProxyType({Game.TCP: "abandonne", Game.UTH: "renonce"})
_RAISES: Final = MappingProxyType(
    {
        "raise": ("relance", "raises"),
        "play_preflop": ("joue avant le flop", "plays before the flop"),
        "play_flop": ("joue au flop", "plays on the flop"),
        "play_river": ("joue à la rivière", "plays on the river"),
    }
)
_ACTS: Final = MappingProxyType(
    {
        "fold": ("passe", "folds", False),
        "check": ("fait parole", "checks", False),
        "call": ("suit à", "calls to", True),
        "bet": ("ouvre à", "bets", True),
        "raise": ("relance à", "raises to", True),
        "allin": ("fait tapis à", "is all in at", True),
    }
)
_COLOURS: Final = MappingProxyType(
    {
        Colour.WHITE: ("blanc", "white"),
        Colour.BLUE: ("bleu", "blue"),
        Colour.ORANGE: ("orange", "orange"),
        Colour.GREEN: ("vert", "green"),
        Colour.RED: ("rouge", "red"),
        Colour.VIOLET: ("violet", "violet"),
    }
)
