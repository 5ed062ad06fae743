# Source lines. Where sysrq_handle_crash panics is said by the kernel's source; offsets come from the
# guest's own trace.
guest: amd64-6.1-elf
form: vmlinux

obit> line sysrq_handle_crash
~ ^sysrq_handle_crash:$
~ ^  sysrq_handle_crash at drivers/tty/sysrq\.c:[0-9]+$
? kind("line") | length == 1 and .[0].file == "drivers/tty/sysrq.c"

# the return address of panic's caller: the size is the one that the trace printed
obit> line -r sysrq_handle_crash+0x16/0x20
? kind("line")[-1] | .func == "sysrq_handle_crash" and .file == "drivers/tty/sysrq.c"

# a header that is included by "../../drivers/iommu/intel/trace.h" from include/trace
obit> line trace_raw_output_qi_submit
? kind("line")[-1].file == "drivers/iommu/intel/trace.h"

# another size is another kernel
obit> line sysrq_handle_crash+0x16/0x24
status: 1
stderr: ~ right vmlinux
(nothing)

obit> line no_such_function
status: 1
stderr: ~ no_such_function
(nothing)

# no word is no question
obit> line ' '
status: 2
stderr: ~ an address is wanted
(nothing)
