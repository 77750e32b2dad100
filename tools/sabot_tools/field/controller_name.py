"""The name of a controller: which one may be given, and which one comes next.

Owns the choice. A name is given to one life only: events are numbered over a controller's whole life, so a new board
under an old name would contradict what the journal holds, and be taken for a copy.
"""

from string import ascii_lowercase

from sabot_protocol.topics import is_name
from sabot_tools.field.device_folder import DeviceFolder
from sabot_tools.field.job import find_job
from sabot_tools.field.trouble import StartError


def check_name(device: str) -> None:
    if not is_name(device):
        raise StartError(f"{device!r} is no name for a controller: small letters, digits, inner hyphens, at most 32.")


def check_new(folder: DeviceFolder, device: str) -> None:
    """StartError for what is no name, and for the name of a controller that is gone."""
    check_name(device)
    if folder.retired(device) is not None:
        raise StartError(f"{device} is taken: a controller that is gone had this name, and the journal knows it by it.")


def name_for(folder: DeviceFolder, table: str, role: str, lying: str) -> str:
    """The name of a controller for which nobody gave one: `t1-a`, `t1-b`, … of table t1.

    A board that has a name at this table keeps it (`lying`), and one that was begun is finished first.
    """
    entry = folder.find(lying) if is_name(lying) else None
    if entry is not None and (entry.table, entry.role) == (table, role):
        return lying
    for letter in ascii_lowercase:
        name = f"{table}-{letter}"
        check_name(name)
        job = find_job(folder.folder, name)
        is_begun = job is not None and (job.action, job.table, job.role) == ("add", table, role)
        if is_begun or (job is None and folder.find(name) is None and folder.retired(name) is None):
            return name
    raise StartError(f"Every name from {table}-a to {table}-z is taken: give one.")


def successor_of(folder: DeviceFolder, device: str) -> str:
    """`t1-a` is followed by `t1-a-2`, that by `t1-a-3`; the one of an unfinished or finished replacement first."""
    gone = folder.retired(device)
    if gone is not None and gone.successor:
        return gone.successor
    stem, _, last = device.rpartition("-")
    number = 2
    if stem and last.isdigit():
        number = int(last) + 1
    else:
        stem = device
    while not _is_free_for(folder, f"{stem}-{number}", device):
        number += 1
    return f"{stem}-{number}"


def _is_free_for(folder: DeviceFolder, name: str, dead: str) -> bool:
    job = find_job(folder.folder, name)
    if job is not None:
        return (job.action, job.replaced) == ("replace", dead)
    return folder.find(name) is None and folder.retired(name) is None
