# A server of files that took the connection and never answered (guests/death/death.c, die_filer): the client is in mount(), for 36
# seconds when sysrq ends it. sunrpc is a module there, and its first question to a server, the procedure NULL, has no name in it.
guest: death-filer-amd64-6.12
form: vmlinux alone

obit> io
...
~ ^ *AGE +PROGRAM +VERSION +PROCEDURE +SERVER +ADDRESS +QUEUE +ACTION +PID +RPC TASK$
~ ^0 00:00:3[0-9]\.[0-9]+ +nfs +4 +- +127\.0\.0\.1 +127\.0\.0\.1 +xprt_pending +call_status +[0-9]+ +[0-9a-f]+$
? kind("rpc_call") | length == 1 and .[0].server == "127.0.0.1" and .[0].age > 30000000000

obit> waits
? kind("wait") | map(select(.comm == "client")) | length == 1 and .[0].type == "rpc_task" and (.[0].object_state | startswith("nfs call of server 127.0.0.1"))

# what is not finished is a call, and no request of a disk is spoken of
obit> triage
? kind("check") | map(select(.name == "io")) | .[0].state == "fail" and .[0].text == "1 of 1 calls of servers older than 5 s"
