# --gdb: what the protocol promises of each packet (the GDB manual, E.2 to E.4), and what comes to those who are no gdb.
# What the real gdb shows is compared by scripts/dev/run-gdb.
guest: any
form: vmlinux alone

# who says what no gdb does is sent away without a word, also who says too much; whatever comes, the next one is served
$ python3 "$TOP/testdata/faces/gdb_client.py" strangers "$VMLINUX" "$VMCORE"
b''
b''
b''
b''
b''
b''
0 False

$ python3 "$TOP/testdata/faces/gdb_client.py" noise "$VMLINUX" "$VMCORE"
QC
False
0 False

# a wrong sum is told of, half a packet waited for, the last answer sent again, Ctrl-C ignored; without acknowledgements there
# is no way to ask again, so that damage ends it
$ python3 "$TOP/testdata/faces/gdb_client.py" framing "$VMLINUX" "$VMCORE"
b'-'
1
1
OK
b'$1#31'
b''
0 False

# the socket is nobody else's; one client at a time, and what kills the process that answers costs that client alone
$ python3 "$TOP/testdata/faces/gdb_client.py" others "$VMLINUX" "$VMCORE"
0o600
1
b''
1
b''
1
obit: what answered gdb died of signal 9; the next one begins anew
0 False

# a command's output has an end, and quit ends nothing
$ python3 "$TOP/testdata/faces/gdb_client.py" monitor "$VMLINUX" "$VMCORE"
True [cut after 1024 kB: '| first 100' shows less]
0000000000000000000000000000000000000000000000000000000000101010
OK
O OK
0 False

# a server that has no descriptor left waits until it has one
$ python3 "$TOP/testdata/faces/gdb_client.py" full "$VMLINUX" "$VMCORE"
True
1
0 False

# a command that nobody waits for any more is stopped: by Ctrl-C and by another packet, be it there before the command begins or
# not, and when gdb has gone. What gdb asks next is answered next (1: it attached to what was there): it waits for no more of the
# old answer.
$ python3 "$TOP/testdata/faces/gdb_client.py" impatient "$VMLINUX" "$VMCORE"
True ['[stopped]'] OK
True ['[stopped]'] OK
True [] 1
True [] 1
True
False
0 False

# After Ctrl-C in a monitor command gdb 13 leaves the end of the answer unread. Where packets are acknowledged its next one passes
# over that ("Packet instead of Ack"); without, it took each answer for that of the packet before, to the end of the session.
$ echo qSupported | python3 "$TOP/testdata/faces/gdb_client.py" answers "$VMLINUX" "$VMCORE" | grep -c NoAck
status: 1
0

# what cannot be asked is refused, what may not be done, too, and what nobody knows has an empty answer
$ echo 'g0 pffff m0 m0,1 mffffffffffffffff,1 m10000000000000000,1 M0,1:00 X0,1:a G00 P0=00 c s z0,0,1 Z0,0,1 vCont? vCont;c vMustReplyEmpty Hg0 Hg-1 Hgfffff Hx H T1 T0 Tffffffffffffffffff qThreadExtraInfo,0 qXfer:features:read:other.xml:0,10 qXfer:features:read:target.xml:0,10 qXfer:features:read:target.xml:fffff,10 qAttached qRcmd,6 qRcmd,zz !' | python3 "$TOP/testdata/faces/gdb_client.py" answers "$VMLINUX" "$VMCORE"
g0 (nothing)
pffff E01
m0 E01
m0,1 E0e
mffffffffffffffff,1 E0e
m10000000000000000,1 E01
M0,1:00 E01
X0,1:a E01
G00 E01
P0=00 E01
c E01
s E01
z0,0,1 E01
Z0,0,1 E01
vCont? (nothing)
vCont;c E01
vMustReplyEmpty (nothing)
Hg0 OK
Hg-1 OK
Hgfffff E01
Hx E01
H E01
T1 OK
T0 E01
Tffffffffffffffffff E01
qThreadExtraInfo,0 E01
qXfer:features:read:other.xml:0,10 (nothing)
qXfer:features:read:target.xml:0,10 m<?xml version="1
qXfer:features:read:target.xml:fffff,10 E01
qAttached 1
qRcmd,6 E01
qRcmd,zz E01
! (nothing)
OK b''
0 False

# no other machine is let in, what is there is not written over, and a socket that a dead server left is
$ for where in 0.0.0.0:1234 192.0.2.1:1 70000 -1 sock ''; do obit --gdb "$where" "$VMLINUX" "$VMCORE" 2>/dev/null; echo $?; done; : >file; obit --gdb ./file "$VMLINUX" "$VMCORE"; echo $?; obit --gdb ./other "$VMLINUX"; echo $?; obit --gdb ./other -c ps "$VMLINUX" "$VMCORE"; echo $?; ls
2
2
2
2
2
2
1
3
2
file
stderr: obit: --gdb: cannot listen there: Address already in use

$ python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("gdb.sock")'; test -S gdb.sock && echo 'm0' | python3 "$TOP/testdata/faces/gdb_client.py" answers "$VMLINUX" "$VMCORE"
m0 E01
OK b''
0 False

# a port is this machine's alone: 0100007F is 127.0.0.1
$ obit --gdb 0 "$VMLINUX" "$VMCORE" 2>told & until grep -q 'target remote' told; do sleep 0.1; done; port=$(sed -n 's/.*target remote 127.0.0.1://p' told); grep -o "[0-9A-F]*:$(printf %04X "$port") [0-9A-F]*:0000 0A" /proc/net/tcp | cut -c 1-8; kill $!; wait $!; echo $?
0100007F
0
