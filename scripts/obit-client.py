#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A client of 'obit --serve', to copy from: obit-client.py FILE... -- COMMAND... prints what commands say."""
import itertools
import json
import subprocess
import sys


class Obit:
    """One obit and its files: for record in Obit(["vmlinux", "vmcore"]).ask("ps"): print(record["comm"])"""

    def __init__(self, files, program="obit"):
        self.process = subprocess.Popen([program, "--serve", *files], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True, encoding="utf-8")
        self.ids = itertools.count(1)
        self.end = None  # the last record of the latest answer: its status, its time

    def send(self, **request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()

    def ask(self, command, most=None):
        """Yields the records of a command line, or of a list of words; after `most` of them it is stopped."""
        number = next(self.ids)
        self.send(id=number, **{"line" if isinstance(command, str) else "argv": command})
        for line in self.process.stdout:
            answer = json.loads(line)
            if answer["id"] != number:
                continue  # notes of opening the files, or what a loop that was left did not read
            if answer["answer"]["record"] == "end":
                self.end = answer["answer"]
                return
            yield answer["answer"]
            if most is not None and (most := most - 1) == 0:
                self.send(cancel=number)
        raise EOFError(f"obit ended with status {self.process.wait()}")


if __name__ == "__main__":
    middle = sys.argv.index("--") if "--" in sys.argv else sys.exit(__doc__)
    obit = Obit(sys.argv[1:middle])
    for command in sys.argv[middle + 1:]:
        for record in obit.ask(command):
            print(json.dumps(record, ensure_ascii=False))
        print(f"{command}: status {obit.end['status']}", file=sys.stderr)
