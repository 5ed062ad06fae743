#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What babeltrace2 prints of a CTF trace of perf's tracepoints, as "time event cpu pid field=value... chain..."."""
import re
import sys

ROW = re.compile(
    r"\[([0-9.]+)\] (\S+): \{ cpu_id = (\d+) \}, \{ .*perf_callchain = \[(.*?)\], common_type.* common_pid = (\d+), (.*) \}$"
)
for line in sys.stdin:
    time, name, cpu, chain, pid, rest = ROW.match(line).groups()
    calls = [int(x, 16) for x in re.findall(r"= (0x[0-9A-F]+)", chain)]
    fields = re.findall(r'(\w+) = ("[^"]*"|0x[0-9A-F]+|-?\d+)', rest)
    values = [f"{k}={v[1:-1] if v[0] == chr(34) else int(v, 0)}" for k, v in fields]
    # what is no address says whose the next ones are
    print(time, name, cpu, pid, *values, *[hex(c) for c in calls if c < 2**64 - 4095])
