# SPDX-License-Identifier: GPL-3.0-or-later
# Run by gdb itself (scripts/dev/run-gdb): what it shows of each thread behind obit --gdb, as JSON into $ANSWERS.
# Structs are read by gdb's own types.
import json
import os

import gdb

FRAMES = 64


def registers(frame):
    """Those that are known, as numbers."""
    known = {}
    for reg in frame.architecture().registers():
        value = frame.read_register(reg.name)
        if value.is_optimized_out or value.type.code == gdb.TYPE_CODE_UNION:
            continue
        try:
            known[reg.name] = int(value) & (1 << value.type.sizeof * 8) - 1
        except gdb.error:
            pass
    return known


def frames(frame):
    """Functions that are on the stack, so without those inlined into them or jumped from: [pc, name, whether debug info has it]"""
    found = []
    while frame and len(found) < FRAMES:
        if frame.type() not in (gdb.INLINE_FRAME, gdb.TAILCALL_FRAME):
            sal = frame.find_sal()
            asm = not frame.function() or not sal.symtab or sal.symtab.filename.endswith(".S")
            found.append([frame.pc(), frame.name(), not asm])
        try:
            frame = frame.older()
        except gdb.error:
            break
    return found


def thread(th):
    th.switch()
    frame = gdb.newest_frame()
    answer = {"ptid": th.ptid[1] or th.ptid[2], "name": th.details, "registers": registers(frame), "frames": []}
    try:
        answer["frames"] = frames(frame)
    except gdb.error:
        pass
    return answer


def each(head, kind, member):
    """The structs on a list of the kernel's."""
    offset = [f for f in kind.fields() if f.name == member][0].bitpos // 8
    at = head["next"]
    while at != head.address:
        yield (at.cast(gdb.lookup_type("unsigned long")) - offset).cast(kind.pointer())
        at = at["next"]


def tasks():
    """What init_task's list leads to, without the idle tasks: pid, address, comm, saved registers, where arguments are"""
    kind = gdb.lookup_type("struct task_struct")
    found = []
    for leader in each(gdb.parse_and_eval("init_task")["tasks"], kind, "tasks"):
        for task in each(leader["signal"]["thread_head"], kind, "thread_node"):
            found.append({"pid": int(task["pid"]), "task": int(task), "comm": task["comm"].string(errors="replace"), "saved": saved(task),
                          "args": [int(task["mm"]["arg_" + end]) for end in ("start", "end")] if task["mm"] else None})
    return found


def saved(task):
    """A sleeping task's registers, as the kernel's switch of tasks stored them."""
    thread_struct = task["thread"]
    names = [f.name for f in thread_struct.type.fields()]
    if "cpu_context" in names:
        context = thread_struct["cpu_context"]
        regs = {f.name: int(context[f.name]) & 0xffffffffffffffff for f in context.type.fields()}
        return {{"fp": "x29"}.get(k, k): v for k, v in regs.items()}
    kind = gdb.lookup_type("struct inactive_task_frame")
    try:
        frame = thread_struct["sp"].cast(kind.pointer()).dereference()
        regs = {f.name: int(frame[f.name]) for f in kind.fields()}
    except gdb.MemoryError:  # the stack of a dead task
        return {}
    return {"rbx": regs["bx"], "rbp": regs["bp"], "rip": regs["ret_addr"], "rsp": int(thread_struct["sp"]) + kind.sizeof,
            **{r: regs[r] for r in ("r12", "r13", "r14", "r15")}}


def memory(start, end):
    try:
        return bytes(gdb.selected_inferior().read_memory(start, end - start)).decode(errors="replace")
    except gdb.MemoryError as e:
        return f"error: {e}"


def said(command):
    try:
        return gdb.execute(command, to_string=True)
    except gdb.error as e:
        return f"error: {e}"


def main():
    gdb.execute("set pagination off")
    gdb.execute("set python print-stack full")
    for line in os.environ["RECIPE"].split("\n"):
        gdb.execute(line)
    answers = {"selected": gdb.selected_thread().num}
    answers["threads"] = [thread(th) for th in sorted(gdb.selected_inferior().threads(), key=lambda th: th.num)]
    answers["tasks"] = tasks()
    # a program's memory is that of the thread that is selected
    args = {t["pid"]: t["args"] for t in answers["tasks"]}
    answers["programs"] = {}
    for th in gdb.selected_inferior().threads():
        pid = int(th.details.split("pid ")[1].split(" ")[0])
        if args.get(pid):
            th.switch()
            answers["programs"][pid] = memory(*args[pid])
    answers["kernel thread"] = ""
    for th in gdb.selected_inferior().threads():
        if "kthreadd" in th.details:
            th.switch()
            answers["kernel thread"] = memory(*args[1])
    answers["banner"] = gdb.parse_and_eval("(char *)linux_banner").string()
    answers["comm"] = gdb.parse_and_eval("init_task.comm").string()
    answers["jiffies"] = int(gdb.parse_and_eval("jiffies"))
    answers["runqueues"] = int(gdb.parse_and_eval("(unsigned long)&runqueues"))
    for command in os.environ["COMMANDS"].split("\n"):
        answers[command] = said(command)
    answers["jiffies again"] = int(gdb.parse_and_eval("jiffies"))
    with open(os.environ["ANSWERS"], "w", encoding="utf-8") as f:
        json.dump(answers, f)
    gdb.execute("detach")


main()
