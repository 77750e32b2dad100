"""Making one board one controller: what is written to it, when it is registered, and how an interruption is taken up.

Owns the order of these steps. Which controller, and whether it may be, is provisioning.py's. The job on disk remembers
what was made (job.py), so that every step may be done again. A key is compared by digest and shown to nobody.
"""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256

from sabot_gateway.registry import DeviceRole
from sabot_tools.field.board import Board, Identity
from sabot_tools.field.board_settings import settings_from_draft
from sabot_tools.field.device_folder import DeviceFolder, Entry
from sabot_tools.field.flash import Software, check_board, install, prove, quiet, software_for, start, tidy
from sabot_tools.field.house import House, check_digest
from sabot_tools.field.job import KEY_FILE, SETTINGS_FILE, Job, begin_job, end_job, find_job
from sabot_tools.field.private_file import write_whole
from sabot_tools.field.trouble import FieldError


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was done, for the summary and the label; nothing secret."""

    action: str
    device: str
    table: str
    role: str
    board: str = ""
    serial: str = ""
    certificate_sha256: str = ""
    certificate_ends: str = ""
    old_key_until: str = ""
    replaced: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    action: str
    device: str
    table: str
    role: str
    draft: str
    replaced: str = ""


def open_board(args: argparse.Namespace) -> tuple[Board, Identity]:
    board = Board(args.port, args.wait)
    try:
        identity = board.identify()
        check_board(identity, args)
    except BaseException:
        board.close()
        raise
    return board, identity


def holds(board: Board, entry: Entry, lying: str) -> bool:
    """Says whether this very board is the controller; its key is compared by digest and does not travel."""
    return lying == entry.id and board.digests([KEY_FILE])[KEY_FILE] == sha256(entry.key).hexdigest()


def equip(
    house: House,
    folder: DeviceFolder,
    args: argparse.Namespace,
    plan: Plan,
    board: Board,
    identity: Identity,
    lying: str,
    after: Callable[[], None],
) -> Outcome:
    """Everything that makes this board this controller; `after` is done once it is registered."""
    software = _welcome(house, software_for(identity, args))
    if lying and lying != plan.device and not args.take:
        raise FieldError(
            f"The board on {args.port} is {lying} already: give --take to make it {plan.device}; "
            "what it has not sent yet is lost with that."
        )
    settings = _settings(house, plan, identity)
    job = find_job(folder.folder, plan.device)
    if job is not None and not _is_same(job, plan, settings):
        end_job(folder.folder, plan.device)
        job = None
    if job is None:
        job = begin_job(
            folder.folder,
            house.authority(),
            plan.action,
            plan.device,
            plan.table,
            plan.role,
            settings,
            plan.replaced,
        )
    quiet(board, identity)
    prove(board, software, args.port)
    install(board, software.files, args.port)
    tidy(board, software.files)
    if lying != plan.device:
        # Another controller's events would be told in this one's name, and its numbers go on from there.
        board.forget_events(identity.outbox_sectors)
    install(board, job.files, args.port)
    write_whole(folder.settings_file(plan.device), settings)
    folder.write(Entry(job.device, job.table, DeviceRole(job.role), job.key, job.certificate_sha256))
    house.authority().withdraw(job.device, datetime.now(UTC), job.certificate_sha256)
    after()
    start(board)
    end_job(folder.folder, plan.device)
    return outcome_of(plan.action, job, identity, replaced=plan.replaced)


def renew(
    house: House,
    folder: DeviceFolder,
    args: argparse.Namespace,
    plan: Plan,
    board: Board,
    identity: Identity,
    entry: Entry,
) -> Outcome:
    """This board is this controller already: its software and settings are brought up to date, its key stays."""
    software = _welcome(house, software_for(identity, args))
    settings = _settings(house, plan, identity)
    quiet(board, identity)
    prove(board, software, args.port)
    install(board, software.files, args.port)
    tidy(board, software.files)
    install(board, {SETTINGS_FILE: settings}, args.port)
    write_whole(folder.settings_file(plan.device), settings)
    start(board)
    end_job(folder.folder, plan.device)
    ends = [each for each in house.authority().known() if each.sha256 == entry.certificate_sha256]
    kind = identity.kind.name if identity.kind else ""
    return Outcome(
        plan.action,
        entry.id,
        entry.table,
        entry.role,
        kind,
        identity.serial,
        entry.certificate_sha256,
        ends[0].ends if ends else "",
        replaced=plan.replaced,
    )


def _welcome(house: House, software: Software) -> Software:
    """Before anything is made: an image that the gateway would refuse is no controller's."""
    if software.image is not None:
        check_digest(house, software.image.digest)
    return software


def _settings(house: House, plan: Plan, identity: Identity) -> bytes:
    assert identity.kind is not None, "check_board refuses others"
    return settings_from_draft(plan.draft, house.settings.site, plan.device, identity.kind.name)


def _is_same(job: Job, plan: Plan, settings: bytes) -> bool:
    asked = (plan.action, plan.table, str(plan.role), plan.replaced, settings)
    return (job.action, job.table, job.role, job.replaced, job.files.get(SETTINGS_FILE)) == asked


def outcome_of(action: str, job: Job, identity: Identity, old_key_until: str = "", replaced: str = "") -> Outcome:
    kind = identity.kind
    return Outcome(
        action,
        job.device,
        job.table,
        job.role,
        kind.name if kind else "",
        identity.serial,
        job.certificate_sha256,
        job.ends,
        old_key_until,
        replaced,
    )
