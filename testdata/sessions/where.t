# Which tasks an expression leaves, against the guest's own ps (testimony) and the company its init
# keeps: two nappers asleep, a spinner that never stops, one stopped.
guest: all
form: vmlinux alone
needs: data

obit> tasks | where comm == "napper"
? kind("task") | length == 2 and all(.comm == "napper" and .state == "IN")

obit> ps | where comm ~ "^nap" && state == S | pick comm
~ ^COMM$
napper
napper

# || is "or" here, > and < compare; as text and in JSON
obit> ps | where state == T || comm == "spinner" | pick comm | order comm
? kind("pick") | map(.comm) == ["spinner", "stopped"]

obit> ps | where pid < 2 && pid > 0 | pick pid, comm
? kind("pick") == [{"record": "pick", "pid": 1, "comm": "init"}]

# kernel threads have no mm: a path that meets NULL is false, and no damage
obit> ps | where mm.map_count > 0 | where flags & 0x200000 | count
? kind("count") == [{"record": "count", "count": 0}]

obit> ps | where !mm | where comm == "kthreadd" | pick pid
? kind("pick") | map(.pid) == [2]

# what makes no sense is refused before anything runs
obit> ps | where nosuch == 3
status: 1
stderr: ~ no symbol 'nosuch'
(nothing)

# A name without quotes that is one of a function: C would compare two addresses, and none is the same.
obit> ps | where comm == kthreadd
status: 2
stderr: ~ text is compared with a function
(nothing)

obit> ps | where comm ~ "("
status: 2
stderr: ~ regular expression
(nothing)

obit> ps | where
status: 2
stderr: ~ condition
(nothing)

obit> mod | where state == MODULE_STATE_LIVE | bt
status: 1
stderr: ~ 'where' yields 'struct module', but 'bt' takes 'struct task_struct'
(nothing)
