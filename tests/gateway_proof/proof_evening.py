"""An evening of a proof: a gateway, its tables playing against it, and what can be waited for meanwhile."""

import signal
import time

from app.gateway_process import GatewayProcess
from gateway_proof.proof_audit import Ledger, audit
from gateway_proof.proof_controller import Floor
from gateway_proof.proof_house import ProofHouse


class Evening:
    """A floor that plays while something is done to the network; ends only when everything is acknowledged."""

    def __init__(self, house: ProofHouse, port: int) -> None:
        self.house = house
        house.seat_players()
        self.gateway: GatewayProcess = house.process().wait_until_ready()
        self.floor: Floor = house.floor(port)
        self.ledger = Ledger(house.journal, self.floor.acked)

    def wait_for_events(self, count: int, within_s: float = 120.0) -> None:
        """Until so many more are acknowledged."""
        wanted, limit = sum(self.floor.acked.values()) + count, time.monotonic() + within_s
        while sum(self.floor.acked.values()) < wanted:
            assert time.monotonic() < limit, f"stuck at {self.floor.acked}\n{self.gateway.said()[-2000:]}"
            time.sleep(0.005)
        self.ledger.holds(self.floor.acked)

    def end(self) -> dict[str, int]:
        self.floor.finish()
        self.floor.stop()
        assert self.gateway.stop() == 0, self.gateway.said()[-2000:]
        return audit(self.house.journal, self.house.controllers)

    def abandon(self) -> None:
        self.floor.stop()
        self.gateway.stop(signal.SIGKILL)
