# The guest's makedumpfile leaves out the pages of user space: each part says so in its place.
guest: amd64-6.1-kdump amd64-6.1-kdump-plain
form: vmlinux alone

obit> ps -a 1
~ ^PID: 1  .*COMMAND: "init"$
ARG: <excluded page>
ENV: <excluded page>
\
status: 4
? kind("note")[0].text | test("left out by the dumper")
? kind("task_args")[0] | .args == [] and .environment == []
