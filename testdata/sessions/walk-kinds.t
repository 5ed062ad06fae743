# Containers that a stock kernel has of its own. A type knows the file systems of that type; /proc has the
# entries of fs/proc; all areas that map a file name it; a file system without a device has its number
# from the IDA (fs/super.c, major 0); a bus and the tree of all devices hold the same ones.
guest: all
form: vmlinux

obit> walk hlist super_block.s_instances proc_fs_type.fs_supers | pick s_id
? kind("pick") | length >= 1 and all(.s_id == "proc")

obit> walk rbtree proc_dir_entry.subdir_node proc_root.subdir | pick name
? kind("pick") | map(.name) | contains(["cmdline", "interrupts", "meminfo", "modules", "version"])
# in the order of their lengths (proc_match(), fs/proc/generic.c)
? kind("pick") | map(.name | length) | . == sort

obit> vm 1 | first 1 | each walk rbtree vm_area_struct.shared.rb {&vm_file->f_mapping->i_mmap}
...
~ ^\(struct vm_area_struct \*\) 0x[0-9a-f]+$

$ obit -s --json "$VMLINUX" "$VMCORE" -c 'superblocks | pick s_dev' -c 'walk ida unnamed_dev_ida' | jq -s 'map(select(.s_dev and .s_dev < 1048576).s_dev) as $minors | map(select(.record == "item" or .value != null) | .value) as $ida | ($minors | length) > 5 and ($minors - ($ida | map(tonumber))) == []'
true

$ obit -s "$VMLINUX" "$VMCORE" -c 'walk klist device_private.knode_bus platform_bus_type.p->klist_devices | count' -c 'dev -b platform | count' | uniq | wc -l
1

# the kernel's own socket of protocol 0, NETLINK_ROUTE
obit> walk rhashtable netlink_sock.node nl_table->hash | pick sk.sk_protocol, sk.__sk_common.skc_family
? kind("pick") | length >= 1 and all(.[]; ."sk.sk_protocol" == 0 and ."sk.__sk_common.skc_family" == 16)

$ obit -s "$VMLINUX" "$VMCORE" -c 'walk xarray pid init_pid_ns.idr.idr_rt | count' -c 'walk radix pid init_pid_ns.idr.idr_rt | count' -c 'walk idr pid init_pid_ns.idr | count' | uniq | wc -l
1

# no guest swaps
obit> walk plist swap_info_struct.list swap_active_head | count
0
