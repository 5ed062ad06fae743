# What was under way to disks. The guests have loop devices to which nothing is attached, so that nothing can be under
# way: their tags are all free. core/linux/io/io_test.c has requests of which each member is set by hand.
guest: all
form: vmlinux
needs: kallsyms

obit> io
no input or output was under way
? kind("io_request") + kind("io_bio") + kind("rpc_call") | length == 0

obit> io no-such-disk
status: 1
stderr: ~ no disk 'no-such-disk'
(nothing)

obit> io loop0
no input or output was under way

# A bdi is named by the number of its device (/sys/class/bdi), and the loop module's is 7
# (Documentation/admin-guide/devices.txt); none of these had anything written to it.
obit> io -w
? kind("writeback") | map(select(.device | startswith("7:"))) | length >= 8 and all(.dirty == 0 and .b_dirty == 0 and (.works | not))
? kind("writeback") | length == (map(.wb) | unique | length)

# max_loop is eight (drivers/block/loop.c), and each disk has a queue of its own.
obit> dev -d
? kind("disk") | map(select(.name | startswith("loop"))) | length >= 8 and (map(.queue) | unique | length) == length
? kind("disk") | map(select(.name | startswith("loop"))) | all(.major == 7 and .total == 0 and .driver == "loop_queue_rq" and .hardware_queues >= 1)
? kind("disk") | map(select(.name == "loop3")) | .[0].minor == 3
