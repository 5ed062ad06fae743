#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Events of a trace of LTTng's as "time name cpu tid comm field=value...", of babeltrace2's text, or of obit's JSON; events
and fields are called as the kernel calls them."""
import json
import re
import sys

ROW = re.compile(r'\[([0-9.]+)\] (?:\S+ )?(\w+): \{ cpu_id = (\d+) \}, \{ pid = \d+, procname = "(.*?)", tid = (\d+) \}, \{ (.*) \}$')
NAMES = {"syscall_entry_": "sys_enter_", "syscall_exit_": "sys_exit_", "kmem_": ""}
FIELDS = {"tid": "pid", "prev_tid": "prev_pid", "next_tid": "next_pid"}


def row(time, name, cpu, tid, comm, fields):
    print(time, name, cpu, tid, comm, *[f"{k}={v}" for k, v in fields])


for line in sys.stdin:
    if line.startswith("{"):
        e = json.loads(line)
        if e["record"] == "event":
            ns = f'{e["time_ns"] // 10**9}.{e["time_ns"] % 10**9:09}'
            values = [(k, int(v, 16) if str(v).startswith("0x") else v) for k, v in e["fields"].items()]
            row(ns, e["event"], e["cpu"], e["pid"], e["comm"], values)
        continue
    time, name, cpu, comm, tid, rest = ROW.match(line.rstrip("\n")).groups()
    for theirs, ours in NAMES.items():
        name = ours + name[len(theirs):] if name.startswith(theirs) else name
    values = re.findall(r'(\w+) = ("[^"]*"|0x[0-9A-F]+|-?\d+)', rest)
    row(time, name, cpu, tid, comm, [(FIELDS.get(k, k), v[1:-1] if v[0] == '"' else int(v, 0)) for k, v in values])
