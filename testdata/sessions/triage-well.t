# Machines that nothing was wrong with when somebody asked for the crash: every check could look, and found nothing.
guest: +amd64-5.10-elf amd64-6.1-elf amd64-6.12-elf amd64-7.2-elf +arm64-5.10-elf arm64-6.1-elf +arm64-6.12-elf +amd64-7.3-elf
form: vmlinux

obit> triage
...
? kind("check") | length > 30 and map(select(.state != "ok")) == []
? kind("verdict") | .[0].outcome == "alive" and .[0].checks_unknown == 0
