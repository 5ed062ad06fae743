# What a process was started with, on the guests whose dumps have the pages of user space.
guest: amd64-6.1-elf amd64-6.1-novmci amd64-6.12-elf amd64-6.12-kdumpz arm64-6.1-elf armhf-6.1-elf armhf-6.1-lpae
form: vmlinux alone
needs: data

# The kernel runs /init, a script of /bin/sh, with the environment of envp_init[] (init/main.c).
obit> ps -a 1
~ ^PID: 1  .*COMMAND: "init"$
ARG: /bin/sh /init
ENV: HOME=/
     TERM=linux
\
? kind("task_args")[0].args == ["/bin/sh", "/init"]
? kind("task_args")[0].environment[0:2] == ["HOME=/", "TERM=linux"]
