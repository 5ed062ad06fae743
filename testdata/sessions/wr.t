# Nothing is written, whatever is asked.
guest: amd64-6.1-elf armhf-6.1-elf
form: vmlinux alone

$ cksum "$VMCORE" >before; obit -s "$VMLINUX" "$VMCORE" -c 'wr jiffies 0'; echo $?; cksum "$VMCORE" | diff before -
stderr: ~ nothing is ever written
1
