"""Every fact as one sentence: what a sensor saw, what became of a link, what a person declared.

Law 7: a card that was scanned, doubted or confirmed is said to have been there; which one it is, never.
"""

from typing import Final, assert_never

from sabot_gateway.model import event as facts
from sabot_gateway.model import review
from sabot_gateway.model.coup import Void
from sabot_gateway.model.felt import Key
from sabot_gateway.projections.key_sentences import key_sentence
from sabot_gateway.projections.sentence import Scene, Sentence, because, money, place, seat_name, timer_name
from sabot_gateway.table.alerts.words import DEVICE_FAULTS, DOUBTS, RESETS


def event_sentence(event: facts.Event | review.ReviewEvent, scene: Scene) -> Sentence:
    match event:
        case (
            facts.CardScanned()
            | facts.CardDoubted()
            | facts.ChipsRead()
            | facts.ChipsDoubted()
            | facts.KeyPressed()
            | facts.BadgeRead()
            | facts.CutCardSeen()
            | facts.DiscardRead()
            | facts.SeatSensed()
            | facts.LampsApplied()
            | facts.DoorMoved()
            | facts.DeviceFaulted()
        ):
            return _seen(event, scene)
        case (
            facts.LinkLost()
            | facts.LinkRestored()
            | facts.LinkGap()
            | facts.ControllerRebooted()
            | facts.ClockSkewed()
            | facts.ServiceResumed()
            | facts.TimerFired()
        ):
            return _of_link(event)
        case (
            review.AlertAssigned()
            | review.AlertCommented()
            | review.AlertAcknowledged()
            | review.AlertEscalated()
            | review.HandsUnsealed()
        ):
            return _of_review(event)
        case _:
            return _declared(event, scene)


def _seen(event: facts.DeviceEvent, scene: Scene) -> Sentence:
    match event:
        case facts.CardScanned(reader=0):
            return Sentence("Une carte sort du sabot.", "A card leaves the shoe.")
        case facts.CardScanned(reader=reader):
            return Sentence(f"Une carte est lue au lecteur {reader}.", f"A card is read at reader {reader}.")
        case facts.CardDoubted(reader=reader, reason=reason):
            fr, en = DOUBTS[reason]
            return Sentence(
                f"Lecture de carte douteuse au lecteur {reader} : {fr}.", f"Doubtful card at reader {reader}: {en}."
            )
        case facts.ChipsRead(seat=seat, spot=spot, tags=tags):
            return _chips(seat, spot, len(tags), scene)
        case facts.ChipsDoubted(seat=seat, spot=spot, reason=reason):
            where, (fr, en) = place(seat, spot, scene.game), DOUBTS[reason]
            return Sentence(f"{where.fr} : jetons douteux, {fr}.", f"{_capital(where.en)}: doubtful chips, {en}.")
        case facts.KeyPressed(key=key, seat=seat):
            return key_sentence(Key(key), seat)
        case facts.BadgeRead():
            return Sentence("Un badge est lu.", "A badge is read.")
        case facts.CutCardSeen():
            return Sentence("La carte de coupe sort du sabot.", "The cut card leaves the shoe.")
        case facts.DiscardRead(tags=tags):
            count = len(tags)
            return Sentence(f"Porte-cartes : {count} carte{_s(count)}.", f"Discard rack: {count} card{_s(count)}.")
        case facts.SeatSensed(seat=seat, occupied=True):
            return Sentence(f"Siège {seat} : quelqu'un s'assied.", f"Seat {seat}: somebody sits down.")
        case facts.SeatSensed(seat=seat):
            return Sentence(f"Siège {seat} : la chaise se libère.", f"Seat {seat}: the chair is empty.")
        case facts.LampsApplied(revision=revision):
            return Sentence(
                f"Les témoins confirment l'image {revision}.", f"The lamps have confirmed picture {revision}."
            )
        case facts.DoorMoved(open=True):
            return Sentence("Le capot du contrôleur est ouvert.", "The controller's door was opened.")
        case facts.DoorMoved():
            return Sentence("Le capot du contrôleur est fermé.", "The controller's door was closed.")
        case facts.DeviceFaulted(code=code, part=part, active=active):
            fr, en = DEVICE_FAULTS[code]
            if active:
                return Sentence(
                    f"Panne du contrôleur {event.device} : {fr} ({part}).",
                    f"Controller {event.device} has a fault: {en} ({part}).",
                )
            return Sentence(
                f"Le contrôleur {event.device} remarche : {fr} ({part}).",
                f"Controller {event.device} works again: {en} ({part}).",
            )
        case _:
            assert_never(event)


def _chips(seat: int, spot: str, count: int, scene: Scene) -> Sentence:
    where = place(seat, spot, scene.game)
    if count == 0:
        return Sentence(f"{where.fr} : plus de jeton.", f"{_capital(where.en)} is empty.")
    amount = scene.felt.get((seat, spot))
    if amount is None:
        return Sentence(
            f"{where.fr} : {count} jeton{_s(count)}.",
            f"{_capital(where.en)} holds {count} chip{_s(count)}.",
        )
    worth = money(amount, scene.game)
    return Sentence(f"{where.fr} : {worth.fr}.", f"{_capital(where.en)} holds {worth.en}.")


def _of_link(event: facts.LinkEvent) -> Sentence:
    who = event.device or "?"
    match event:
        case facts.LinkLost():
            return Sentence(f"Le contrôleur {who} ne répond plus.", f"Controller {who} has gone silent.")
        case facts.LinkRestored():
            return Sentence(f"Le contrôleur {who} répond de nouveau.", f"Controller {who} answers again.")
        case facts.LinkGap(first=first, last=last):
            return Sentence(
                f"Les événements {first} à {last} du contrôleur {who} manquent.",
                f"Events {first} to {last} of controller {who} are missing.",
            )
        case facts.ControllerRebooted(cause=cause):
            fr, en = RESETS.get(cause, RESETS["unknown"])
            return Sentence(f"Le contrôleur {who} a redémarré : {fr}.", f"Controller {who} has restarted: {en}.")
        case facts.ClockSkewed(off_ms=off_ms):
            return Sentence(
                f"L'horloge du contrôleur {who} était décalée de {off_ms} ms.",
                f"Controller {who}'s clock was off by {off_ms} ms.",
            )
        case facts.ServiceResumed(complete=True):
            return Sentence("Sabot a repris, rien ne manque.", "Sabot is back, and nothing was missed.")
        case facts.ServiceResumed():
            return Sentence("Sabot a repris, il manque des événements.", "Sabot is back, and events were missed.")
        case facts.TimerFired(timer=timer):
            what = timer_name(timer)
            return Sentence(f"Délai écoulé : {what.fr}.", f"Time has run out: {what.en}.")
        case _:
            assert_never(event)


def _of_review(event: review.ReviewEvent) -> Sentence:
    match event:
        case review.AlertAssigned(by=by, alert=alert, to=""):
            return Sentence(f"{by} rend l'alerte {alert} à tous.", f"{by} gives alert {alert} back to everybody.")
        case review.AlertAssigned(by=by, alert=alert, to=to):
            return Sentence(f"{by} confie l'alerte {alert} à {to}.", f"{by} assigns alert {alert} to {to}.")
        case review.AlertCommented(by=by, alert=alert, text=text):
            return Sentence(f"{by} note sur l'alerte {alert} : {text}", f"{by} comments on alert {alert}: {text}")
        case review.AlertAcknowledged(by=by, alert=alert, reason=reason):
            why = because(reason)
            return Sentence(f"{by} a vu l'alerte {alert}{why.fr}.", f"{by} has acknowledged alert {alert}{why.en}.")
        case review.AlertEscalated(by=by, alert=alert, to=to, reason=reason):
            why = because(reason)
            return Sentence(
                f"{by} transmet l'alerte {alert} à {to}{why.fr}.", f"{by} escalates alert {alert} to {to}{why.en}."
            )
        case review.HandsUnsealed(by=by, coup=coup, reason=reason):
            why = because(reason)
            return Sentence(
                f"{by} ouvre les cartes cachées du coup {coup}{why.fr}.",
                f"{by} opens the sealed cards of coup {coup}{why.en}.",
            )
        case _:
            assert_never(event)


def _declared(event: facts.OperatorEvent, scene: Scene) -> Sentence:
    match event:
        case facts.CoupVoided(by=by, cause=cause):
            fr, en = _VOIDS[cause]
            return Sentence(f"{by} annule le coup : {fr}.", f"{by} voids the coup: {en}.")
        case facts.AlertOverridden(by=by, alert=alert, reason=reason):
            why = because(reason)
            return Sentence(f"{by} passe outre l'alerte {alert}{why.fr}.", f"{by} overrides alert {alert}{why.en}.")
        case facts.AlertCleared(by=by, alert=alert, reason=reason):
            why = because(reason)
            return Sentence(f"{by} classe l'alerte {alert}{why.fr}.", f"{by} clears alert {alert}{why.en}.")
        case facts.HandConfirmed(by=by, seat=seat, cards=cards):
            who, count = seat_name(seat), len(cards)
            return Sentence(
                f"{by} confirme {count} carte{_s(count)} : {who.fr.lower()}.",
                f"{by} confirms {count} card{_s(count)}: {who.en.lower()}.",
            )
        case facts.PlayerSeated(seat=seat):
            return Sentence(f"Siège {seat} : un joueur prend place.", f"Seat {seat}: a player takes the seat.")
        case facts.PlayerLeft(seat=seat):
            return Sentence(f"Siège {seat} : le joueur quitte la table.", f"Seat {seat}: the player leaves the table.")
        case facts.PlayerAbsent(seat=seat):
            return Sentence(f"Siège {seat} : le joueur s'absente.", f"Seat {seat}: the player is away.")
        case facts.PlayerReturned(seat=seat):
            return Sentence(f"Siège {seat} : le joueur est de retour.", f"Seat {seat}: the player is back.")
        case facts.PlayerWaiting():
            return Sentence("Un joueur s'inscrit sur la liste d'attente.", "A player joins the waiting list.")
        case facts.PlayerCalled(answered=True):
            return Sentence("Un joueur appelé se présente.", "A player who was called has come.")
        case facts.PlayerCalled():
            return Sentence("Un joueur appelé ne se présente pas.", "A player who was called has not come.")
        case facts.Recaved(seat=seat, amount_cents=cents):
            worth = money(cents, scene.game)
            return Sentence(f"Siège {seat} apporte {worth.fr}.", f"Seat {seat} brings {worth.en}.")
        case facts.StakeConsigned(by=by, seat=seat, amount_cents=cents):
            worth = money(cents, scene.game)
            return Sentence(
                f"{by} consigne {worth.fr} du siège {seat}, joueur absent.",
                f"{by} consigns {worth.en} of seat {seat}, whose player is away.",
            )
        case facts.ConsignmentClaimed(by=by):
            return Sentence(f"{by} rend une mise consignée à son joueur.", f"{by} hands out a consigned stake.")
        case facts.ButtonPlaced(seat=seat):
            return Sentence(f"Le bouton est au siège {seat}.", f"The button is at seat {seat}.")
        case facts.RakeDropped(amount_cents=cents):
            worth = money(cents, scene.game)
            return Sentence(f"{worth.fr} vont à la cagnotte.", f"{worth.en} goes into the rake.")
        case facts.DeckRegistered(deck=deck):
            return Sentence(f"Jeu {deck.name} enregistré.", f"Deck {deck.name} was registered.")
        case facts.ChipsRegistered(chips=chips):
            count = len(chips)
            return Sentence(
                f"{count} jeton{_s(count)} enregistré{_s(count)}.",
                f"{count} chip{_s(count)} {'were' if count > 1 else 'was'} registered.",
            )
        case facts.BadgeRegistered(person=person):
            if person is None:
                return Sentence("Un badge est retiré.", "A badge was taken back.")
            return Sentence(f"Badge de {person.id} enregistré.", f"The badge of {person.id} was registered.")
        case facts.FloatDeclared(amount_cents=cents):
            worth = money(cents, scene.game)
            return Sentence(f"Avance de la table : {worth.fr}.", f"The table's float: {worth.en}.")
        case _:
            assert_never(event)


def _s(count: int) -> str:
    return "s" if count > 1 else ""


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


_VOIDS: Final = {
    Void.CARD_COUNT: ("le compte des cartes est faux", "the cards do not add up"),
    Void.COLLUSION: ("entente", "collusion"),
    Void.MALFUNCTION: ("incident technique", "a malfunction"),
}
