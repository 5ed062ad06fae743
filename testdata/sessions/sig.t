# Signals. What testdata/guests/inside/init starts in the background is started by a shell without job control,
# which has it ignore SIGINT and SIGQUIT (POSIX, 2.11, asynchronous lists); a shell waits for SIGCHLD by a handler of its
# own; and kthreadd ignores all signals (ignore_signals() in kernel/kthread.c).
guest: all
form: vmlinux

obit> sig napper
...
? kind("signal_handler") | map(select(.number == 2 or .number == 3)) | length == 4 and all(.action == "ignored" and .handler == null)
? kind("signal_handler") | map(select(.name == "SIGCHLD")) | length == 2 and all(.action == "handler" and .file == "/bin/busybox" and .offset != null)
? kind("signals") | length == 2 and all(.pending == "0x0" and .shared == "0x0" and .blocked == "0x0" and .threads == 1)
? kind("queued_signal") == []

obit> sig -a 1
...
? kind("signal_handler") | length == 64 and (map(.number) == [range(1; 65)]) and .[8].name == "SIGKILL" and .[8].action == "default"

obit> sig 2
...
? kind("signal_handler") | length == 64 and all(.action == "ignored")

# the same task from a pipeline
obit> ps | where comm == "kthreadd" | sig
...
? kind("signals") | length == 1 and .[0].pid == 2

obit> sig -g 1
...
? kind("signals") | map(.pid) == [1]

# kill -l 9, kill -l 15
obit> sig -s 4100
NR  NAME
 9  SIGKILL
15  SIGTERM

obit> sig -s 0
no signal is in this set

obit> sig -l
...
? kind("signal") | length == 64 and .[10].name == "SIGSEGV"

obit> sig -l 1
status: 2
stderr: ~ about no task

obit> sig -s what
status: 2
stderr: ~ 'what' is no set
(nothing)

obit> sig 4000000
status: 1
stderr: ~ 4000000
