# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints the VMCOREINFO of a dump's notes (forget.py DUMP notes), or destroys in raw memory every copy of what
that text begins with (forget.py MEMORY)."""
import sys

KEY = b"OSRELEASE="

if len(sys.argv) > 2:
    with open(sys.argv[1], "rb") as dump:
        head = dump.read(1 << 16)
    at = head.index(b"VMCOREINFO\0")
    size = int.from_bytes(head[at - 8 : at - 4], "little")
    sys.stdout.write(head[at + 12 : at + 12 + size].split(b"\0")[0].decode())
else:
    with open(sys.argv[1], "rb") as memory:
        data = memory.read()
    with open(sys.argv[1], "wb") as memory:
        memory.write(data.replace(KEY, b"x" * len(KEY)))
