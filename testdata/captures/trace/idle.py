#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds the idle bars of a picture of a whole trace against the rows of trace-cmd report -t: idle.py ROWS PICTURE.

A CPU is idle from a switch to its idle task to the next switch. What is between two rows of any CPU that are further than 40 ms
apart does not count: nobody knows whether anything was recorded. Prints each CPU, and whether both agree within a hundredth.
"""
import collections
import re
import sys

QUIET = 0.04
UNIT = {"s": 1, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}

want, since, last = collections.Counter(), {}, None
for row in open(sys.argv[1], errors="replace"):
    at = re.search(r"\[(\d+)\].*? (\d+\.\d{9}): +(\w+):", row)
    if not at:
        continue
    cpu, ts = at[1].lstrip("0") or "0", float(at[2])
    if last is not None and ts - last > QUIET:
        for c in since:
            want[c] += last - since[c]
        since.clear()
    last = ts
    if at[3] == "sched_switch":
        want[cpu] += ts - since.pop(cpu, ts)
        if "==> swapper/" in row:
            since[cpu] = ts
for c in since:
    want[c] += last - since[c]

got = collections.Counter()
for many, unit, cpu, one, of in re.findall(
        r"<title>(?:\d+ times idle, ([\d.]+) (\w+) in all; the first: )?idle on CPU (\d+), (?:([\d.]+) (\w+))?",
        open(sys.argv[2]).read()):
    got[cpu] += float(many or one) * UNIT[unit or of]
for cpu in sorted(want):
    print(cpu, want[cpu] > 0.1, abs(got[cpu] - want[cpu]) < 0.01 * want[cpu])
    if abs(got[cpu] - want[cpu]) >= 0.01 * want[cpu]:
        print("trace-cmd:", want[cpu], "picture:", got[cpu])
