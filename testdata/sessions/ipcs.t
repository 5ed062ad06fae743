# System V IPC against /proc/sysvipc of the garden, whose keeper made one of each and a private segment.
guest: garden-amd64-6.1 garden-amd64-6.12 garden-arm64-6.1
form: vmlinux alone
needs: kallsyms

# shm: key shmid perms size cpid lpid nattch uid gid
obit> ipcs -m
? kind("shared_memory") | map("\(.id) \(.perms) \(.bytes) \(.creator) \(.last) \(.attached) \(.uid) \(.gid)") == ($said.shm | lines | .[1:] | map(split(" ") | map(select(. != "")) | "\(.[1]) \(.[2]) \(.[3]) \(.[4]) \(.[5]) \(.[6]) \(.[7]) \(.[8])"))
? kind("shared_memory") | map(.key) == ["0x1234", "0x0"]

# sem: key semid perms nsems uid gid
obit> ipcs -s
? kind("semaphores") | map("\(.id) \(.perms) \(.semaphores) \(.uid) \(.gid)") == ($said.sem | lines | .[1:] | map(split(" ") | map(select(. != "")) | "\(.[1]) \(.[2]) \(.[3]) \(.[4]) \(.[5])"))

# msg: key msqid perms cbytes qnum lspid lrpid uid gid
obit> ipcs -q
? kind("message_queue") | map("\(.id) \(.perms) \(.bytes) \(.messages) \(.last) \(.uid) \(.gid)") == ($said.msg | lines | .[1:] | map(split(" ") | map(select(. != "")) | "\(.[1]) \(.[2]) \(.[3]) \(.[4]) \(.[5]) \(.[7]) \(.[8])"))

obit> ipcs
? map(.record) == ["shared_memory", "shared_memory", "semaphores", "message_queue"]

obit> ipcs -m 1
? kind("shared_memory") | map(.bytes) == [4096]

# nobody made a namespace of its own
obit> ipcs -n keeper -m
? kind("shared_memory") | length == 2
