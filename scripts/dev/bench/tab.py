#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Starts obit in a terminal, types half a symbol and TAB, twice, and prints after how many ms its name stood there each time."""
import os
import pty
import select
import sys
import time

LIMIT = 20  # seconds


def wait(fd, words, seen=b""):
    """Reads until the words were written."""
    end = time.monotonic() + LIMIT
    while words not in seen:
        ready, _, _ = select.select([fd], [], [], max(0, end - time.monotonic()))
        if not ready:
            sys.exit("tab: nothing came")
        seen += os.read(fd, 4096)


def tab(fd):
    os.write(fd, b"p init_uts_n")
    wait(fd, b"init_uts_n")
    start = time.monotonic()
    os.write(fd, b"\t")
    wait(fd, b"s")
    took = time.monotonic() - start
    os.write(fd, b"\x15")  # ^U: the line is empty again
    time.sleep(0.05)
    while select.select([fd], [], [], 0.05)[0]:
        os.read(fd, 4096)
    return took * 1e3


child, master = pty.fork()
if child == 0:
    os.environ["TERM"] = "dumb"
    os.environ["XDG_STATE_HOME"] = "/nonexistent"
    os.execvp(sys.argv[1], sys.argv[1:])
wait(master, b"obit> ")
first, second = tab(master), tab(master)
print("%.1f %.1f" % (first, second))
os.write(master, b"\x04")
os.close(master)
os.waitpid(child, 0)
