# SPDX-License-Identifier: GPL-3.0-or-later
# Says to obit --gdb what no gdb would: gdb_client.py WHAT FILE... (sessions/gdb.t).
import os
import random
import resource
import signal
import socket
import subprocess
import sys
import time

SOCKET = "./gdb.sock"
server = subprocess.Popen(["obit", "--gdb", SOCKET, *sys.argv[2:]], stderr=open("told", "w", encoding="utf-8"))
while "target remote" not in open("told", encoding="utf-8").read():
    time.sleep(0.05)


def connect():
    s = socket.socket(socket.AF_UNIX)
    s.settimeout(60)
    s.connect(SOCKET)
    return s


def packet(text):
    return b"$%s#%02x" % (text, sum(text) & 255)


def read(s):
    """The next answer, without its '+'."""
    got = b""
    while b"#" not in got[:-2]:
        more = s.recv(1)
        if not more:
            return "closed"
        got += more
    return got.lstrip(b"+")[1:-3].decode()


def ask(s, text):
    s.sendall(packet(text.encode()))
    return read(s)


def rest(s):
    """All that still comes until the connection is closed."""
    got = b""
    try:
        while more := s.recv(65536):
            got += more
    except ConnectionResetError:
        pass
    s.close()
    return got


def last_word(s):
    """Waits until the server has time for another one."""
    s.close()
    for _ in range(600):
        s = connect()
        try:
            if ask(s, "qAttached") == "1":
                return s
        except OSError:
            pass
        s.close()
        time.sleep(0.05)
    return s


def strangers():
    for said in (b"GET / HTTP/1.1\r\n\r\n", b"\x16\x03\x01\0", b"\0", b"%Stop:T05#00", b"+" * 5000 + b"x"):
        s = last_word(socket.socket())
        s.sendall(said)
        print(rest(s))
    s = last_word(socket.socket())
    try:
        s.sendall(b"$" + b"a" * 1000000)
    except OSError:
        pass
    print(rest(s))


def noise():
    random.seed(7)
    pieces = [b"$", b"#", b"00", b"+", b"-", b"\3", b"}", b"m", b"qRcmd,", b"qXfer:features:read:target.xml:", b"ffffffffffffffff", b",", b"g", b"p", b"Hg",
              b"\0", b"\xff", packet(b"g"), packet(b"qfThreadInfo"), packet(b"m0,ffffffffffffffff"), packet(b"mffffffffffffffff,4000"),
              packet(b"p4000000000"), packet(b"Hg-2"), packet(b"qRcmd,7"), packet(b"qXfer:features:read:target.xml:ffffffff,1"), packet(b"T")]
    for _ in range(200):
        s = last_word(socket.socket())
        try:
            s.sendall(b"".join(random.choice(pieces) for _ in range(random.randint(1, 30))))
            s.shutdown(socket.SHUT_WR)
            rest(s)
        except OSError:
            pass
    print(ask(last_word(socket.socket()), "qC")[:2])
    with open("told", encoding="utf-8") as f:
        print("died" in f.read())


def framing():
    s = connect()
    s.sendall(b"$qAttached#00")
    print(s.recv(1))
    for byte in packet(b"qAttached"):
        s.sendall(bytes([byte]))
    print(read(s))
    s.sendall(b"-")
    print(read(s))
    s.sendall(b"\3+++")
    print(ask(s, "QStartNoAckMode"))
    s.sendall(packet(b"qAttached"))
    print(s.recv(100))
    s.sendall(b"$qAttached#00")
    print(rest(s))


def answers():
    s = connect()
    for text in sys.stdin.read().split():
        print(text, ask(s, text) or "(nothing)")
    print(ask(s, "D"), rest(s))


def others():
    """Who comes while one is served is sent away; the one that is served stays."""
    print(oct(os.stat(SOCKET).st_mode & 0o777))
    first = connect()
    print(ask(first, "qAttached"))
    print(rest(connect()))
    print(ask(first, "qAttached"))
    with open(f"/proc/{server.pid}/task/{server.pid}/children", encoding="ascii") as f:
        os.kill(int(f.read().split()[0]), signal.SIGKILL)
    print(rest(first))
    print(ask(last_word(first), "qAttached"))
    with open("told", encoding="utf-8") as f:
        print(f.read().splitlines()[-1])


def command(s, line):
    """What a monitor command prints."""
    said = ""
    s.sendall(packet(b"qRcmd," + line.encode().hex().encode()))
    while (text := read(s)) not in ("OK", "closed"):
        said += bytes.fromhex(text[1:]).decode()
    return said


def ticks():
    with open(f"/proc/{server.pid}/stat", encoding="ascii") as f:
        return sum(int(n) for n in f.read().rsplit(")", 1)[1].split()[11:13])


def full():
    """A server that has no descriptor left does not spin, and goes on when it has one."""
    was = resource.prlimit(server.pid, resource.RLIMIT_NOFILE)
    resource.prlimit(server.pid, resource.RLIMIT_NOFILE, (3, was[1]))
    s, before = connect(), ticks()
    time.sleep(2)
    print(ticks() - before < 50)
    resource.prlimit(server.pid, resource.RLIMIT_NOFILE, was)
    print(ask(s, "qAttached"))


def is_served():
    with open(f"/proc/{server.pid}/task/{server.pid}/children", encoding="ascii") as f:
        return bool(f.read().split())


def impatient():
    """A command that prints nothing for long ends by Ctrl-C, when gdb asks for something else, and when gdb has gone."""
    long = packet(b"qRcmd," + (b"search 0xdeadbeefcafe1234;" * 300).hex().encode())
    for more in (b"\3", packet(b"qAttached")):
        for pause in (0, 0.5):
            s = last_word(socket.socket())
            s.sendall(long if pause else long + more)
            time.sleep(pause)
            if pause:
                s.sendall(more)
            said = ""
            while (text := read(s)) not in ("OK", "1", "closed"):
                said += bytes.fromhex(text[1:]).decode()
            print(said.count("\n") < 250, said.split()[-1:], text)
            s.close()
    s = last_word(socket.socket())
    s.sendall(long)
    time.sleep(0.5)
    print(is_served())
    s.close()
    for _ in range(15):
        if not is_served():
            break
        time.sleep(0.1)
    print(is_served())


def monitor():
    """A command that prints too much is cut, and the next one is answered."""
    s = connect()
    command(s, "ps")
    s.sendall(packet(b"qRcmd," + (b"ps;" * 2000).hex().encode()))
    size, last = 0, ""
    while (text := read(s)) != "OK":
        size, last = size + (len(text) - 1) // 2, bytes.fromhex(text[1:]).decode()
    print(2**20 < size < 2**20 + 4096, last.splitlines()[-1])
    s.sendall(packet(b"qRcmd," + b"eval 40 + 2".hex().encode()))
    while (text := read(s)) != "OK":
        print(bytes.fromhex(text[1:]).decode().split()[-1])
    s.sendall(packet(b"qRcmd," + b"quit".hex().encode()))
    print(read(s))
    s.sendall(packet(b"qRcmd," + b"alias dmesg".hex().encode()))
    print(read(s)[:1], read(s))


def states():
    """What one sets, the next one has not."""
    s = connect()
    was = command(s, "eval 40 + 2")
    for line in ("set json on", "set 1", "alias eval count", "$x = 7", "define two"):
        command(s, line)
    s = last_word(s)
    print(command(s, "eval 40 + 2") == was, "variable" in command(s, "p $x"))


def deaf():
    """Who asks, and reads no answer, does not keep the server from its end, as it would if they were sent from there."""
    s = connect()
    try:
        while True:
            s.settimeout(2)
            s.sendall(packet(b"qRcmd," + b"ps".hex().encode()))
    except TimeoutError:
        pass
    return s


kept = globals()[sys.argv[1]]()
server.terminate()
print(server.wait(timeout=30), os.path.exists(SOCKET))
