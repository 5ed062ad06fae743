# Values in full: what struct prints of the same task.
guest: all
form: vmlinux alone
needs: data

# exec of 5.10 leaves in comm what is behind the end of the new name; the name is what is before it
obit> ps 1 | print comm
~ ^comm = "init(.000er/0)?"$
? kind("value")[0].value == "init"

obit> ps 1 | print -x pid + 15
pid + 15 = 0x10

obit> ps 1 | print nosuch
status: 1
stderr: ~ nosuch
(nothing)
