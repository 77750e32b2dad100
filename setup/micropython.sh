#!/usr/bin/env bash
# A real MicroPython (Debian's unix port) in .tools/micropython, for the tests
# of protocol and firmware. Needs no root and changes nothing on the system:
# apt works with a configuration, lists, cache and dpkg status of its own, and
# the unpacked interpreter starts through its own loader.
#
# i386 on purpose: 32-bit words, so heap figures agree with a 32-bit board's.
# Where i386 code cannot run, the machine's own word size is taken, and said.
set -euo pipefail
cd "$(dirname "$0")/.."

SUITE=trixie                        # the first Debian release that packages MicroPython
RECORD=setup/micropython.sha256     # what was installed when this was last looked at
HOME_DIR=$PWD/.tools/micropython
RUN=$HOME_DIR/run
STAMP=$HOME_DIR/stamp

fail() { echo "setup: $1" >&2; exit 1; }

works() { "$RUN" -c 'import cryptolib, hashlib, asyncio' >/dev/null 2>&1; }

key() { cat "$0" "$RECORD" 2>/dev/null | sha256sum | cut -d' ' -f1; }

if [ -x "$RUN" ] && [ "$(cat "$STAMP" 2>/dev/null)" = "$(key)" ] && works; then exit 0; fi

command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null ||
    fail "MicroPython is missing and this is not a Debian system: install its unix port and link it as .tools/micropython/run."

# The mirror is whichever one this machine's own apt uses for Debian itself.
MIRROR=$(apt-get indextargets --format '$(REPO_URI)' 'Origin: Debian' 2>/dev/null |
    grep -v security | sort | uniq -c | sort -rn | awk 'NR==1 {print $2}')
[ -n "$MIRROR" ] || { apt-get update -qq >/dev/null 2>&1 || true
    MIRROR=$(apt-get indextargets --format '$(REPO_URI)' 'Origin: Debian' 2>/dev/null |
        grep -v security | sort | uniq -c | sort -rn | awk 'NR==1 {print $2}'); }
[ -n "$MIRROR" ] || fail "apt knows no Debian mirror, so MicroPython cannot be fetched: run 'apt-get update' as root once."
KEYRING=/usr/share/keyrings/debian-archive-keyring.gpg
[ -r "$KEYRING" ] || fail "the Debian archive keyring is missing: install the package debian-archive-keyring."

fetch() { # $1: architecture
    rm -rf "$HOME_DIR"
    local apt=$HOME_DIR/apt
    mkdir -p "$apt"/{lists/partial,cache/archives/partial} "$HOME_DIR/root"
    : >"$apt/status"
    echo "deb [arch=$1 signed-by=$KEYRING] $MIRROR $SUITE main" >"$apt/sources.list"
    cat >"$apt/apt.conf" <<CONF
APT::Architecture "$1";
APT::Architectures { "$1"; };
APT::Install-Recommends "false";
APT::Sandbox::User "";
Dir::State "$apt"; Dir::State::lists "$apt/lists"; Dir::State::status "$apt/status";
Dir::Cache "$apt/cache";
Dir::Etc::sourcelist "$apt/sources.list"; Dir::Etc::sourceparts "/dev/null";
Dir::Etc::preferences "/dev/null"; Dir::Etc::preferencesparts "/dev/null";
Acquire::Languages "none";
CONF
    APT_CONFIG=$apt/apt.conf apt-get update -qq
    APT_CONFIG=$apt/apt.conf apt-get install -qq -y --download-only micropython >/dev/null
    local package
    for package in "$apt"/cache/archives/*.deb; do dpkg-deb -x "$package" "$HOME_DIR/root"; done
    (cd "$apt/cache/archives" && sha256sum -- *.deb) >"$HOME_DIR/packages.sha256"
    rm -rf "$apt"
    local loader
    loader=$(find "$HOME_DIR/root" \( -name 'ld-linux*.so.*' -o -name 'ld-linux-*.so.*' \) | head -n 1)
    local libraries
    libraries=$(find "$HOME_DIR/root" -name 'libc.so.6' -printf '%h' -quit)
    cat >"$RUN" <<LAUNCH
#!/bin/sh
exec "$loader" --library-path "$libraries" "$HOME_DIR/root/usr/bin/micropython" "\$@"
LAUNCH
    chmod +x "$RUN"
}

echo "setup: fetching MicroPython from Debian $SUITE"
fetch i386
if ! works; then
    native=$(dpkg --print-architecture)
    echo "setup: i386 programs do not run here; taking MicroPython for $native, whose heap figures are larger than a board's"
    fetch "$native"
    works || fail "MicroPython was fetched but does not start."
fi
# Debian's archive key vouches for every package; the record shows what changed since we last looked.
if ! (cd "$HOME_DIR" && cut -d' ' -f1 packages.sha256 | sort) | cmp -s - <(cut -d' ' -f1 "$RECORD" 2>/dev/null | sort); then
    echo "setup: note: these packages differ from $RECORD (signed by Debian all the same):"
    sed 's/^/setup:   /' "$HOME_DIR/packages.sha256"
fi
key >"$STAMP"
echo "setup: $("$RUN" -c 'import sys; print(sys.implementation._machine, "MicroPython", ".".join(map(str, sys.implementation.version[:3])))')"
