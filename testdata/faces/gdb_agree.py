# SPDX-License-Identifier: GPL-3.0-or-later
# Holds what gdb showed (gdb_ask.py) against obit's records and the guest's testimony: gdb_agree.py WHAT ANSWERS RECORDS.
# RECORDS are those of 'foreach bt', of 'regs' and of 'sys'. What is wrong is printed, and the status is 1.
import json
import os
import re
import sys

what, answers_at, records_at = sys.argv[1:]
with open(answers_at, encoding="utf-8") as f:
    gdb = json.load(f)
with open(records_at, encoding="utf-8") as f:
    records = [json.loads(line) for line in f]
wrong = []


def check(ok, *words):
    if not ok:
        wrong.append(" ".join(str(w) for w in words))


def kind(name):
    return [r for r in records if r["record"] == name]


def pid_of(thread):
    return int(re.search(r"pid (-?\d+) ", thread["name"])[1])


def cpu_of(thread):
    found = re.match(r"CPU (\d+), ", thread["name"])
    return int(found[1]) if found else None


running = [t for t in gdb["threads"] if cpu_of(t) is not None]
sleeping = [t for t in gdb["threads"] if cpu_of(t) is None]


def frames_of():
    """obit's frames by the place of the backtrace: idle tasks have one pid."""
    found, last = [], None
    for r in records:
        if r["record"] == "backtrace":
            last = (r, [])
            found.append(last)
        elif r["record"] == "frame" and last and not r["inlined"]:
            last[1].append(r)
    return found


def plain(name):
    return re.sub(r"\..*", "", name or "")


def same(theirs, ours):
    # where code is assembler's, gdb has the name of its unit, and obit that of the nearest symbol
    return theirs[0] == int(ours["pc"], 16) and (not theirs[2] or plain(theirs[1]) == plain(ours["func"]))


def threads():
    """One for each CPU, and one for each task that did not run, as gdb itself counts the kernel's lists."""
    idle = int(os.environ["CPUS"])
    check(len(gdb["threads"]) == len(gdb["tasks"]) + idle, len(gdb["threads"]), "threads, but", len(gdb["tasks"]), "tasks")
    check([t["ptid"] for t in gdb["threads"]] == list(range(1, len(gdb["threads"]) + 1)), "numbers of threads")
    check([cpu_of(t) for t in running] == list(range(idle)), "CPUs")
    listed = sorted([t["pid"] for t in gdb["tasks"]] + [0] * idle)
    check(sorted(pid_of(t) for t in gdb["threads"]) == listed, "pids")
    names = {t["pid"]: t["comm"] for t in gdb["tasks"]}
    for t in gdb["threads"]:
        if pid_of(t):
            check(f'"{names.get(pid_of(t))}"' in t["name"], t["name"], "is", names.get(pid_of(t)))
    with open(os.environ["TESTIMONY"] + "/tasks.txt", encoding="utf-8") as f:
        told = {line.split()[0] for line in f if line.split()[3:] in (["napper"], ["init"], ["kthreadd"])}
    check(len(told) >= 3 and told <= {str(pid_of(t)) for t in gdb["threads"]}, "tasks of the testimony", told)
    check("crasher" in gdb["threads"][gdb["selected"] - 1]["name"], "the thread that panicked is not the first")


def registers():
    """A sleeping task's are those that the kernel's structs have, as gdb reads them; a CPU's those of 'regs'."""
    compared = 0
    saved = {t["pid"]: t["saved"] for t in gdb["tasks"]}
    for t in sleeping:
        for name, value in saved.get(pid_of(t), {}).items():
            if not t["frames"]:  # of a dead task
                continue
            compared += 1
            check(t["registers"].get(name) == value, t["name"], name, t["registers"].get(name), value)
        # what nobody saved is not known, and no zero
        for name in ("rax", "rcx", "x0", "x9", "eflags"):
            check(name not in t["registers"], t["name"], "knows", name)
    check(compared > 300, compared, "registers were compared")
    of_cpus = {r["cpu"]: r for r in kind("registers") if r["n"] is None}
    compared = 0
    for t in running:
        ours = of_cpus[cpu_of(t)]
        for name, value in t["registers"].items():
            name = {"eflags": "rflags", "cpsr": "pstate"}.get(name, name)
            if name not in ours or name == "x30":  # the signature of a return address is taken off
                continue
            compared += 1
            check(value == int(ours[name], 16), t["name"], name, hex(value), ours[name])
    check(compared >= 30, compared, "registers of CPUs were compared")


def backtraces():
    """Frame for frame: gdb goes by debug info, obit by the kernel's own tables or frame pointers."""
    compared = 0
    ours = [(head, frames) for head, frames in frames_of() if not head["active"]]
    idle = [f for head, f in ours if not head["pid"]]
    for t in sleeping:
        if not t["frames"]:
            continue
        pid = pid_of(t)
        frames = idle.pop(0) if not pid else next(f for head, f in ours if head["pid"] == pid)
        # of functions that never return, which an idle task is in, debug info may end early
        n = min(len(frames), len(t["frames"])) if not pid else len(frames)
        check(n >= 4 or pid, t["name"], "has", n, "frames")
        for i in range(n):
            compared += 1
            if i >= len(t["frames"]) or not same(t["frames"][i], frames[i]):
                check(False, t["name"], "frame", i, frames[i]["func"], t["frames"][i : i + 1])
                break
    check(compared > 250, compared, "frames were compared")


def dying():
    """The one that panicked: the same functions from its first frame on, down to the system call."""
    panicked = gdb["threads"][gdb["selected"] - 1]
    ours = next(f for head, f in frames_of() if head["active"] and head["pid"] == pid_of(panicked))
    ours = [f for f in ours if f["n"] >= 0]
    theirs = panicked["frames"]
    start = next((i for i, f in enumerate(theirs) if f[1] == "panic"), None)
    if start is None and theirs and (theirs[0][1] == "vectors" or theirs[-1][1] == "call_on_irq_stack"):
        # An interrupt had just reached arm64's table of vectors, or went on on a stack of its own, of which gdb knows no way
        # out: debug info has none. run-testimony compares what was interrupted with the kernel's own stack.
        return
    check(start is not None, "gdb does not see panic():", [f[1] for f in theirs])
    begin = next(i for i, f in enumerate(ours) if f["func"] in ("panic", "vpanic"))
    while ours[begin]["func"] != "panic":
        begin += 1
    n = len(ours) - begin
    check(n >= 8, n, "frames below panic()")
    for i in range(n if start is not None else 0):
        ok = start + i < len(theirs) and same(theirs[start + i], ours[begin + i])
        check(ok, "frame", i, "below panic() is", ours[begin + i]["func"], "or", theirs[start + i : start + i + 1])


def memory():
    """What the guest said of itself, and nm of its vmlinux."""
    with open(os.environ["TESTIMONY"] + "/version.txt", encoding="utf-8") as f:
        check(gdb["banner"] == f.read(), "linux_banner", gdb["banner"])
    check(gdb["comm"] == "swapper/0", "init_task.comm", gdb["comm"])
    # a per-CPU variable has moved with the kernel, unless they are numbered from 0
    place, moved = int(os.environ["RUNQUEUES"], 16), int(os.environ["MOVED"], 16) - int(os.environ["LINKED"], 16)
    check(moved > 0, "the kernel has not moved")
    check(gdb["runqueues"] == place + (moved if place > 1 << 24 else 0), "&runqueues", hex(gdb["runqueues"]))
    # jiffies begin five minutes before 32 bits wrap; the guest died within half an hour
    check(2**32 - 300 * 1000 <= gdb["jiffies"] < 2**32 + 1800 * 1000, "jiffies", gdb["jiffies"])
    nappers = [p for p in gdb["tasks"] if p["comm"] == "napper"]
    check(len(nappers) >= 2, "nappers", nappers)
    for task in gdb["tasks"]:
        if task["comm"] in ("napper", "init", "nc", "sleep") and task["args"]:
            # makedumpfile was told to leave out the memory of programs
            seen = task["comm"] if os.environ["DUMP"] != "kdump" else "Cannot access memory"
            check(seen in gdb["programs"].get(str(task["pid"]), ""), task["comm"], gdb["programs"].get(str(task["pid"])))
    check("Cannot access memory" in gdb["kernel thread"], "kthreadd has a program's memory:", gdb["kernel thread"])


def refusals():
    """Nothing is written, nothing runs, and a command of obit's is confined."""
    check(gdb["set var jiffies = 1"].startswith("error: Cannot access memory"), gdb["set var jiffies = 1"])
    check(gdb["jiffies"] == gdb["jiffies again"], "jiffies changed")
    for command in ("continue", "stepi"):
        check("Remote failure reply: E01" in gdb[command], command, gdb[command])
    check(os.environ["RELEASE"] in gdb["monitor sys"], "monitor sys:", gdb["monitor sys"])
    check("no file is" in gdb["monitor log > made"], gdb["monitor log > made"])
    check("is the shell's" in gdb["monitor ! touch made"], gdb["monitor ! touch made"])
    check("is the shell's" in gdb["monitor ps | tee made"], gdb["monitor ps | tee made"])
    check("command not found" in gdb["monitor nosuch"], gdb["monitor nosuch"])
    check(gdb["monitor ps | count"].strip() == str(len(gdb["threads"])), gdb["monitor ps | count"], len(gdb["threads"]))


{"threads": threads, "registers": registers, "backtraces": backtraces, "dying": dying, "memory": memory, "refusals": refusals}[what]()
print("\n".join(wrong[:20]))
sys.exit(bool(wrong))
