#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes a page of trace_pipe_raw: two events of softirq_raise, and between them one that its filter threw away.

discarded.py FORMAT OUT: FORMAT is the event's format file. The first event is 5 ns behind the page's time, 1000000000;
the one that was thrown away 99 ns behind it, and the second 1 ns behind that (include/linux/ring_buffer.h has the kinds).
"""
import re
import struct
import sys

number = int(re.search(r"^ID: (\d+)$", open(sys.argv[1], encoding="utf-8").read(), re.M).group(1))


def event(delta, vec):
    return struct.pack("<IHBBiI", delta << 5 | 3, number, 0, 0, 1, vec)


data = event(5, 1) + struct.pack("<IIII", 99 << 5 | 29, 12, 0, 0) + event(1, 2)
open(sys.argv[2], "wb").write(struct.pack("<QQ", 10**9, len(data)) + data.ljust(4080, b"\0"))
