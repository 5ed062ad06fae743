#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a program in a terminal, presses keys, and prints what the screen shows: press.py COLSxROWS KEY... -- COMMAND...

A KEY is typed as it is; "\\n" in it is Enter, "\\e" is Escape. Behind each the program has time until it writes no more
and sleeps: one that still computes, on a slow machine, has not answered yet.
"WxH!" changes the size; "WORDS?", as long as they are not on the screen, waits for them, and the next key comes
at once. What the program does to the terminal is what ECMA-48 says of the few sequences it may use;
any other one is printed as it is, so that a test notices.
"""
import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios
import time

QUIET = 0.6  # seconds without output
BUSY = 60  # seconds that a program may compute without a word


def sleeps(pid):
    """Whether the process waits for something, as its state in /proc/PID/stat says, or is gone."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as stat:
            return stat.read().rpartition(b")")[2].split()[0] not in (b"R", b"D")
    except OSError:
        return True


class Screen:
    def __init__(self, cols, rows):
        self.size(cols, rows)

    def size(self, cols, rows):
        self.cols, self.rows, self.y, self.x = cols, rows, 0, 0
        self.lines = [[" "] * cols for _ in range(rows)]

    def put(self, c):
        if self.x < self.cols:
            self.lines[self.y][self.x] = c
            self.x += 1

    def feed(self, text):
        for m in re.finditer(r"\033\[([?0-9;]*)([A-Za-z@])|\r|\n|\x08|[^\033]|\033", text, re.S):
            what, arg, end = m.group(0), m.group(1), m.group(2)
            if end == "H" and not arg:
                self.y = self.x = 0
            elif end == "K":
                self.lines[self.y][self.x:] = [" "] * (self.cols - self.x)
            elif end == "J":
                self.lines[self.y][self.x:] = [" "] * (self.cols - self.x)
                for y in range(self.y + 1, self.rows):
                    self.lines[y] = [" "] * self.cols
            elif end == "m" or (end in ("h", "l") and arg.startswith("?")):
                pass
            elif what == "\r":
                self.x = 0
            elif what == "\n":
                if self.y + 1 == self.rows:
                    self.lines = self.lines[1:] + [[" "] * self.cols]
                else:
                    self.y += 1
            elif len(what) == 1 and what >= " ":
                self.put(what)
            elif what != "\x07":
                for c in repr(what):
                    self.put(c)


def main():
    at = sys.argv.index("--")
    keys, command = sys.argv[2:at], sys.argv[at + 1:]
    cols, rows = map(int, sys.argv[1].split("x"))
    pid, fd = pty.fork()
    if not pid:
        os.environ["TERM"] = "xterm"
        os.execvp(command[0], command)
    screen = Screen(cols, rows)
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))

    def wait(first, words=None):
        limit, busy = first, time.monotonic() + BUSY
        while words not in "\n".join("".join(line) for line in screen.lines) if words else True:
            if not select.select([fd], [], [], limit)[0]:
                if sleeps(pid) or time.monotonic() > busy:
                    return
                limit = QUIET
                continue
            try:
                data = os.read(fd, 65536)
            except OSError:
                return
            if not data:
                return
            screen.feed(data.decode("utf-8", "replace"))
            limit = limit if words else QUIET

    wait(20)
    for n, key in enumerate(keys):
        if re.fullmatch(r"\w+\?", key):
            wait(20, key[:-1])
            continue
        size = re.fullmatch(r"(\d+)x(\d+)!", key)
        if size:
            screen.size(int(size[1]), int(size[2]))
            fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", int(size[2]), int(size[1]), 0, 0))
        else:
            os.write(fd, key.replace("\\n", "\n").replace("\\e", "\033").encode())
        if not re.fullmatch(r"\w+\?", keys[n + 1] if n + 1 < len(keys) else ""):
            wait(5)
    print("\n".join("".join(line).rstrip() for line in screen.lines).rstrip("\n"))
    os.close(fd)


main()
