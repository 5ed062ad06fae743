# Members side by side, against the guest's own words.
guest: all
form: vmlinux alone
needs: data

# /proc/modules: name, size, references
obit> mod | pick name, state
? (kind("pick") | map(.name)) == ($said.modules | lines | map(split(" ")[0])) and (kind("pick") | all(.state == "MODULE_STATE_LIVE"))

obit> ps 1 | pick pid, comm, mm.owner.pid, real_parent.comm
? kind("pick") | length == 1 and (.[0] | .pid == 1 and .comm == "init" and ."mm.owner.pid" == 1 and (."real_parent.comm" | test("^swapper")))

# rows go on; the last name of a path is the member's
obit> ps | pick comm, real_parent.pid | where pid == 0 && comm == "kthreadd"
? kind("pick") == [{"record": "pick", "comm": "kthreadd", "pid": 0}]

# one field alone goes on as itself: the parent of init is the first task
obit> ps 1 | pick real_parent | struct task_struct.pid
? kind("value")[0].value == 0

# expressions
obit> ps 1 | pick pid * 2 + 1, sizeof(comm)
? kind("pick") | length == 1 and .[0]."pid * 2 + 1" == 3 and .[0]."sizeof(comm)" == 16

# a task without an mm has no map_count: null
obit> ps 2 | pick mm.map_count
? kind("pick")[0]."mm.map_count" == null

obit> ps | pick pid,
status: 2
stderr: ~ a field is wanted
(nothing)

# a number is no pointer
obit> walk percpu s16 runqueues | pick *it
status: 2
stderr: ~ too short to be an address
(nothing)

obit> walk percpu u8 runqueues | pick it | count
? kind("count")[0].count > 0

# a struct in a cell is one line, and says its type in no row
obit> mod | first 1 | pick refcnt, list
~ ^REFCNT +LIST$
~ ^\{counter = [0-9]+\} +\{next = 0x[0-9a-f]+( <[^>]*>)?, prev = 0x[0-9a-f]+( <[^>]*>)?\}$
