# SPDX-License-Identifier: GPL-3.0-or-later
# Asks obit --serve what takes more than a pipe: serve.py deaf|killed|hasty FILE... (sessions/serve-dump.t).
import json
import os
import signal
import subprocess
import sys
import time

LONG = "ps;" * 100000  # hours

server = subprocess.Popen(["obit", "--serve", *sys.argv[2:]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def send(**request):
    server.stdin.write(json.dumps(request) + "\n")
    server.stdin.flush()


def read(number, of="end"):
    """The next record of that kind that answers the request; what stands before it is skipped."""
    for line in server.stdout:
        answer = json.loads(line)
        if answer["id"] == number and answer["answer"]["record"] == of:
            return answer["answer"]
    return {}


def deaf():
    send(id=1, line=LONG)
    time.sleep(2)  # both pipes and all buffers are full
    send(cancel=1)
    server.stdin.close()
    time.sleep(1)
    last = [json.loads(line) for line in server.stdout][-1]
    print(last["id"], last["answer"]["record"], last["answer"]["status"])


def killed():
    send(id=1, line=LONG)
    read(1, "task")
    with open(f"/proc/{server.pid}/task/{server.pid}/children", encoding="ascii") as f:
        os.kill(int(f.read().split()[0]), signal.SIGKILL)
    print(read(1, "error").get("text"))
    print(read(1).get("status"))
    send(id=2, line="ps")
    print(read(2).get("status"))


def hasty():
    send(id=0, line="ps")
    read(0)
    server.send_signal(signal.SIGINT)
    send(id=1, line=LONG)
    read(1, "task")
    server.send_signal(signal.SIGINT)
    print(read(1).get("status"))
    stopped = 0
    for i in range(2, 52):
        send(id=i, line=LONG)
        send(cancel=i)
        stopped += read(i).get("status") == 130
    print(stopped, "of 50")
    send(id=99, line="ps")
    print(read(99).get("status"))


{"deaf": deaf, "killed": killed, "hasty": hasty}[sys.argv[1]]()
if sys.argv[1] == "deaf":
    print(server.wait())
