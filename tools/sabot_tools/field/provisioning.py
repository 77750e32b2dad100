"""Giving a board its identity, and taking it away: the steps of `sabot provision`, in the order that makes them safe.

Owns that order. A new controller is registered after the board has everything, read back; a key is changed at the
gateway first, so that old and new are both good while the board has the one or the other; a controller that goes loses
its certificate before its entry. Every step may be done again; the job on disk remembers what was made (job.py), and a
command that was finished can be given once more. No key is ever printed.
"""

import argparse
from datetime import UTC, datetime, timedelta

from sabot_protocol.topics import is_name
from sabot_tools.field.board_settings import device_in, read_draft, settings_from_draft
from sabot_tools.field.controller_name import check_name, check_new, name_for, successor_of
from sabot_tools.field.device_folder import DeviceFolder, Entry
from sabot_tools.field.equipping import Outcome, Plan, equip, holds, open_board, outcome_of, renew
from sabot_tools.field.flash import install, quiet, start
from sabot_tools.field.house import House
from sabot_tools.field.job import SETTINGS_FILE, Job, begin_job, claim, end_job, find_job
from sabot_tools.field.private_file import read_private
from sabot_tools.field.trouble import FieldError, StartError


def add(house: House, args: argparse.Namespace) -> Outcome:
    """A blank board becomes a controller of a table; a controller's own board gets its software and settings anew."""
    folder = DeviceFolder(house.devices)
    _check_table(house, args.table)
    if args.device:
        check_new(folder, args.device)
    draft = read_draft(args.settings)
    # Tried before the board is touched: a wrong draft must not leave it half done.
    settings_from_draft(draft, house.settings.site, args.device or "any", "any")
    board, identity = open_board(args)
    try:
        lying = device_in(board.read_text(SETTINGS_FILE))
        device = args.device or name_for(folder, args.table, args.role, lying)
        with claim(folder.folder, device):
            job, entry = find_job(folder.folder, device), folder.find(device)
            plan = Plan("add", device, args.table, args.role, draft)
            if entry is None or (job is not None and job.action == "add" and job.key == entry.key):
                return equip(house, folder, args, plan, board, identity, lying, lambda: None)
            is_same = (entry.table, entry.role) == (args.table, args.role)
            if not is_same or not holds(board, entry, lying):
                raise StartError(f"{device} is taken: use `provision rotate` for a new key, `replace` for a new board.")
            return renew(house, folder, args, plan, board, identity, entry)
    finally:
        board.close()


def replace(house: House, args: argparse.Namespace) -> Outcome:
    """A new board takes a dead one's place under a new name; the dead one's key and certificate are worthless."""
    folder = DeviceFolder(house.devices)
    dead = args.device
    check_name(dead)
    successor = args.successor or successor_of(folder, dead)
    check_new(folder, successor)
    with claim(folder.folder, successor):
        entry, heir, gone = folder.find(dead), folder.find(successor), folder.retired(dead)
        job = find_job(folder.folder, successor)
        if job is not None and (job.action, job.replaced) != ("replace", dead):
            job = None
        is_done = entry is None and heir is not None and gone is not None and gone.successor == successor
        if heir is not None and not is_done and (job is None or job.key != heir.key):
            raise StartError(f"{successor} is taken: give another name with --as.")
        source = entry or job or (heir if is_done else None)
        if source is None:
            raise StartError(f"There is no controller {dead} in {house.devices}.")
        draft = _draft(folder, args, job, successor if is_done else dead)
        plan = Plan("replace", successor, source.table, source.role, draft, dead)
        board, identity = open_board(args)
        try:
            lying = device_in(board.read_text(SETTINGS_FILE))
            if heir is not None and job is None:
                if not holds(board, heir, lying):
                    raise StartError(f"{dead} was replaced by {successor} already, and this is another board.")
                return renew(house, folder, args, plan, board, identity, heir)
            return equip(
                house, folder, args, plan, board, identity, lying, lambda: _take_out(house, folder, dead, successor)
            )
        finally:
            board.close()


def rotate(house: House, args: argparse.Namespace) -> Outcome:
    """A new key and certificate for a controller; the old ones stay good for a while."""
    folder = DeviceFolder(house.devices)
    entry = _known(folder, args.device, house)
    with claim(folder.folder, entry.id):
        board, identity = open_board(args)
        try:
            lying = device_in(board.read_text(SETTINGS_FILE))
            if lying != entry.id:
                raise FieldError(
                    f"The board on {args.port} is {lying or 'blank'}, not {entry.id}; nothing was changed."
                )
            job = find_job(folder.folder, entry.id)
            if job is None or job.action != "rotate":
                end_job(folder.folder, entry.id)  # of an `add` that was broken off after it was registered
                job = begin_job(folder.folder, house.authority(), "rotate", entry.id, entry.table, entry.role, b"")
            until = entry.previous_until
            if entry.key != job.key:
                until = datetime.now(UTC).replace(microsecond=0) + timedelta(hours=args.hours)
                changed = Entry(entry.id, entry.table, entry.role, job.key, job.certificate_sha256, entry.key, until)
                folder.write(changed)
            house.authority().withdraw(entry.id, until or datetime.now(UTC), job.certificate_sha256)
            quiet(board, identity)
            install(board, job.files, args.port)
            start(board)
        finally:
            board.close()
        end_job(folder.folder, entry.id)
    return outcome_of("rotate", job, identity, old_key_until=until.isoformat() if until else "")


def revoke(house: House, args: argparse.Namespace) -> Outcome:
    """A controller is no longer known: lost, stolen or sold."""
    folder = DeviceFolder(house.devices)
    gone = folder.retired(args.device) if is_name(args.device) else None
    known = folder.find(args.device) if gone is not None else _known(folder, args.device, house)
    with claim(folder.folder, args.device):
        _take_out(house, folder, args.device, gone.successor if gone else "")
        end_job(folder.folder, args.device)
    told = known or gone
    assert told is not None, "one of them was found above"
    return Outcome("revoke", args.device, told.table, told.role)


def _take_out(house: House, folder: DeviceFolder, device: str, successor: str) -> None:
    # The certificate first: were it the last, an interruption would leave it good, and nobody to ask about it.
    house.authority().withdraw(device, datetime.now(UTC))
    folder.retire(device, successor)


def _draft(folder: DeviceFolder, args: argparse.Namespace, job: Job | None, device: str) -> str:
    """The draft of a replacement: what the technician gives, or what the dead one had."""
    if args.settings is not None:
        return read_draft(args.settings)
    if job is not None:
        return job.files[SETTINGS_FILE].decode()
    kept = folder.settings_file(device)
    if not kept.exists():
        raise StartError(f"The settings of {device} were not kept here: give them with --settings FILE.")
    return read_private(kept).decode()


def _known(folder: DeviceFolder, device: str, house: House) -> Entry:
    entry = folder.find(device) if is_name(device) else None
    if entry is None:
        raise StartError(f"There is no controller {device} in {house.devices}.")
    return entry


def _check_table(house: House, table: str) -> None:
    names = [each.name for each in house.settings.tables]
    if table not in names:
        raise StartError(f"There is no table {table} in {house.settings.file}; there are {', '.join(names) or 'none'}.")
