# What the dead kernel's own log and console report: the sysrq that killed it, by its own words.
guest: all
form: vmlinux alone

obit> oops log
~ ^kernel panic: sysrq triggered crash$
~ ^ +KIND: panic$
...
? kind("report") | length == 1 and .[0].crash and .[0].kind == "panic" and .[0].release == $guest.release
? kind("report")[0].comm == "crasher"

$ obit --json oops "$GUEST/console.txt"
? kind("report")[0].title == "kernel panic: sysrq triggered crash"
? kind("report")[0] | .damaged == false

# no report in a text: 5
$ echo 'nothing happened' | obit oops -
status: 5
-: no report of the kernel's
