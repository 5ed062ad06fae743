# SPDX-License-Identifier: GPL-3.0-or-later
"""Run by gdb (-x): random call sites, and what gdb knows of each.

Prints "RETURN-ADDRESS FUNCTIONS FILE LINE": the functions from the innermost inlined one to the
real one, separated by commas, and the line of the call, "?" where it is unknown. The environment
says how many (SITES), which functions there are (NAMES: a file, as nm -S prints them), and with
which seed (SEED); or, where gdb cannot read the code itself, the addresses behind calls (ADDRESSES:
a file).
"""
import os
import random
import re

import gdb

random.seed(int(os.environ.get("SEED", "1")))
wanted = int(os.environ.get("SITES", "2000"))
arch = None
symbol = re.compile(r"^([0-9a-f]+) ([0-9a-f]+) [tTwW] (\S+)$")


def functions():
    """Address and size of every function that nm -S names on its standard output."""
    found = []
    with open(os.environ["NAMES"]) as names:
        for line in names:
            m = symbol.match(line.strip())
            if m and int(m.group(2), 16) > 16:
                found.append((int(m.group(1), 16), int(m.group(2), 16)))
    return found


def site_of(start, size):
    """A random call in a function: the address behind it."""
    calls = []
    for insn in arch.disassemble(start, start + min(size, 8192) - 1):
        if re.match(r"(call|bl|blr)q?\s", insn["asm"]):
            calls.append(insn["addr"] + insn["length"])
    return random.choice(calls) if calls else None


def chain_of(pc):
    block = gdb.block_for_pc(pc)
    names = []
    while block is not None and not block.is_global and not block.is_static:
        if block.function is not None:
            names.append(block.function.name)
        block = block.superblock
    return names


def candidates():
    """The address behind a call, of one function after another."""
    global arch
    if "ADDRESSES" in os.environ:
        with open(os.environ["ADDRESSES"]) as addresses:
            yield from (int(line, 16) for line in addresses)
        return
    every = functions()
    random.shuffle(every)
    arch = gdb.selected_inferior().architecture()
    for start, size in every:
        try:
            ret = site_of(start, size)
        except (gdb.error, RuntimeError):
            continue
        if ret is not None:
            yield ret


def main():
    done = 0
    for ret in candidates():
        if done == wanted:
            break
        try:
            names = chain_of(ret - 1)
            sal = gdb.find_pc_line(ret - 1)
        except (gdb.error, RuntimeError):
            continue
        if not names or sal.symtab is None or not sal.line:
            continue
        print("%x %s %s %d" % (ret, ",".join(names), sal.symtab.filename, sal.line))
        done += 1


gdb.execute("set pagination off")
main()
