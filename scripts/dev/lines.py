# SPDX-License-Identifier: GPL-3.0-or-later
"""Run by gdb (-x): random call sites, and what gdb knows of each.

Prints "RETURN-ADDRESS FUNCTIONS FILE LINE ADDRESS": the functions from the innermost inlined one to
the real one, separated by commas, the line of the call, "?" where it is unknown, and the address that
was looked up. The environment says how many (SITES), which functions there are (NAMES: a file, as nm
-S prints them), and with which seed (SEED); or, where gdb cannot read the code itself, the addresses
behind calls (ADDRESSES: a file). Or which frames of a report they are (FRAMES: a file of number,
function, offset, size, and "true" for pc itself, split by tabs; NAMES is as nm -n prints it): then
the number stands in the place of the address, and "?" for the function of assembler code.
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
        if re.match(r"(call|bl|blr|jal|jalr)q?\s", insn["asm"]):
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


def frames():
    """Number and address of every frame; of functions of one name the one of that size is meant."""
    places, size, last = {}, {}, []
    with open(os.environ["NAMES"]) as names:
        for at, _, name in (line.split() for line in names if line[0] != " "):
            at = int(at, 16)
            if last and last[0] != at:
                size.update((old, at - old) for old in last)
                last = []
            last.append(at)
            places.setdefault(name, []).append(at)
    with open(os.environ["FRAMES"]) as lines:
        for line in lines:
            number, name, offset, whole, exact = line.split("\t")[:5]
            fit = [at for at in places[name] if size.get(at) == int(whole)]
            at = (fit or places[name])[0] + int(offset)
            # pc itself is not behind a call, nor is what has no code before it
            alone = offset == "0" and not gdb.find_pc_line(at - 1).line
            yield number, at + (exact == "true" or alone)


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
    is_frames = "FRAMES" in os.environ
    for key, ret in frames() if is_frames else (("%x" % ret, ret) for ret in candidates()):
        if done == wanted:
            break
        try:
            names = chain_of(ret - 1)
            names = [name.split(".")[0] for name in names] or ["?"] if is_frames else names
            sal = gdb.find_pc_line(ret - 1)
        except (gdb.error, RuntimeError):
            continue
        if not names or sal.symtab is None or not sal.line:
            continue
        print("%s %s %s %d %x" % (key, ",".join(names), sal.symtab.filename, sal.line, ret - 1))
        done += 1


gdb.execute("set pagination off")
main()
