# init is the first process that is no idle task, kthreadd the second (init/main.c, rest_init).
guest: all
form: vmlinux alone
needs: data

obit> ps | where pid | order pid | first 2 | pick pid, comm
? kind("pick") | map(.comm) == ["init", "kthreadd"]

obit> ps | first 0 | count
? kind("count")[0].count == 0

obit> ps | first x
status: 2
stderr: ~ number
(nothing)
