/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests: a fake kernel with a task, its files, mounts, areas, sockets, IPC and swap. */
#ifndef OBIT_VFS_FAKE_H
#define OBIT_VFS_FAKE_H

#include "core/linux/container/walk_fake.h"

/* Where things are; 0x200 bytes each. */
enum vfs_fake_place {
	F_TASK,
	F_FILES,
	F_FDTABLE,
	F_FDS,
	F_FS,
	F_PROXY,
	F_MNTNS,
	F_MOUNT,  /* of the root, which is its own parent */
	F_MOUNT2, /* on /etc */
	F_SB,
	F_FSTYPE,
	F_ROOT, /* dentries: "/", "/etc", what is mounted there, and in that "passwd" and "link" */
	F_ETC,
	F_ETC2,
	F_PASSWD,
	F_LINK,
	F_ROOT_INODE,
	F_ETC_INODE,
	F_PASSWD_INODE,
	F_LINK_INODE,
	F_FILE,
	F_SOCKFILE,
	F_SOCKET,
	F_SOCK,
	F_UNIXADDR,
	F_MM,
	F_VMA,
	F_VMA2,
	F_NET,
	F_DEV,
	F_INDEV,
	F_IFA,
	F_INET6DEV,
	F_IPCNS,
	F_SHM,
	F_PID,
	F_SWAPINFO,
	F_SYMBOLS,
	F_STRINGS,
	F_MAPLE, /* of areas, where the kernel is a newer one */
	F_IFA6,
	F_INETFILE, /* sockets: IPv4, IPv6, and a unix one whose name begins with a NUL */
	F_INETSOCKET,
	F_INETSOCK,
	F_INET6FILE,
	F_INET6SOCKET,
	F_INET6SOCK,
	F_HIDDENFILE,
	F_HIDDENSOCKET,
	F_HIDDENSOCK,
	F_HIDDENADDR,
	F_PLACES
};
#define F_AT(place) (KERNEL_BASE + 0x1000u + (uint64_t)(place)*0x200u)
#define F_END F_AT(F_PLACES)
#define F_STR(n) (F_AT(F_STRINGS) + (uint64_t)(n)*16u)

static inline void vfs_fake_files(struct fake_kernel *k)
{
	const struct type *list = INNER(k, "next", "prev"), *path = INNER(k, "mnt", "dentry");
	struct type *s;

	s = WORDS(k, "dentry", "d_parent", "d_inode", "d_sb");
	kernel_member(s, "d_hash", INNER(k, "next", "pprev"), 24);
	kernel_member(s, "d_name", INNER(k, "hash_len", "name"), 40);
	kernel_member(s, "d_child", list, 56);
	kernel_member(s, "d_subdirs", list, 72);
	kernel_member(s, "d_alias", INNER(k, "next"), 88);
	s->size = 104;
	s = WORDS(k, "mount", "mnt_parent", "mnt_mountpoint", "mnt_devname", "mnt_ns");
	kernel_member(s, "mnt", INNER(k, "mnt_root", "mnt_sb", "mnt_flags"), 32);
	kernel_member(s, "mnt_mounts", list, 56);
	kernel_member(s, "mnt_child", list, 72);
	kernel_member(s, "mnt_instance", list, 88);
	kernel_member(s, "mnt_list", list, 104);
	s->size = 120;
	WORDS(k, "vfsmount", "mnt_root", "mnt_sb", "mnt_flags");
	s = WORDS(k, "super_block", "s_type", "s_root", "s_flags", "s_subtype");
	kernel_member(s, "s_id", kernel_array(k, &k->u8, 16), 32);
	kernel_member(s, "s_mounts", list, 48);
	kernel_member(s, "s_list", list, 64);
	kernel_member(s, "s_inodes", list, 80);
	s->size = 96;
	WORDS(k, "file_system_type", "name");
	s = WORDS(k, "inode", "i_mode", "i_sb", "i_ino", "i_size", "i_nlink", "i_state", "i_link");
	kernel_member(s, "i_count", INNER(k, "counter"), 56);
	kernel_member(s, "i_dentry", INNER(k, "first"), 64);
	kernel_member(s, "i_sb_list", list, 72);
	kernel_member(s, "i_io_list", list, 88);
	kernel_member(s, "i_wb", &k->u64, 104);
	s->size = 112;
	s = kernel_struct(k, "bdi_writeback", 40);
	kernel_member(s, "b_attached", list, 0);
	kernel_member(s, "b_dirty", list, 16);
	kernel_member(s, "bdi", &k->u64, 32);
	kernel_member(kernel_struct(k, "backing_dev_info", 48), "wb", s, 8);
	s = WORDS(k, "file", "private_data");
	kernel_member(s, "f_path", path, 8);
	s->size = 24;
	WORDS(k, "task_struct", "files", "fs", "nsproxy", "mm");
	WORDS(k, "files_struct", "fdt");
	WORDS(k, "fdtable", "max_fds", "fd");
	s = kernel_struct(k, "fs_struct", 32);
	kernel_member(s, "root", path, 0);
	kernel_member(s, "pwd", path, 16);
	WORDS(k, "nsproxy", "mnt_ns", "net_ns", "ipc_ns");
	s = kernel_struct(k, "mnt_namespace", 16);
	kernel_member(s, "list", list, 0);
}

/* What waits in a socket; its members lie behind those of struct sock_common. */
static inline void vfs_fake_sock(struct fake_kernel *k)
{
	const struct type *counter = INNER(k, "counter"), *queue = INNER(k, "qlen");
	struct type *s = kernel_struct(k, "sock", 0x200), *inner = kernel_struct(k, "", 16);

	kernel_member(inner, "rmem_alloc", counter, 0);
	kernel_member(inner, "len", &k->u64, 8);
	kernel_member(s, "sk_backlog", inner, 0x100);
	inner = kernel_struct(k, "", 8);
	kernel_member(inner, "refs", counter, 0);
	kernel_member(s, "sk_wmem_alloc", inner, 0x110);
	kernel_member(s, "sk_receive_queue", queue, 0x118);
	kernel_member(s, "sk_ack_backlog", &k->u64, 0x120);
	kernel_member(s, "sk_max_ack_backlog", &k->u64, 0x128);
	kernel_member(s, "sk_protocol", &k->u64, 0x130);
	kernel_member(s, "sk_type", &k->u64, 0x138);
	kernel_member(s, "sk_socket", &k->u64, 0x140);
	s = kernel_struct(k, "tcp_sock", 0x200);
	kernel_member(s, "write_seq", &k->u32, 0x150);
	kernel_member(s, "snd_una", &k->u32, 0x154);
	kernel_member(s, "rcv_nxt", &k->u32, 0x158);
	kernel_member(s, "copied_seq", &k->u32, 0x15c);
	s = kernel_struct(k, "udp_sock", 0x200);
	kernel_member(s, "forward_deficit", &k->s32, 0x150);
	s = kernel_struct(k, "inet_timewait_sock", 0x100);
	kernel_member(s, "tw_substate", &k->u8, 0x98);
}

static inline void vfs_fake_others(struct fake_kernel *k)
{
	const struct type *list = INNER(k, "next", "prev"), *id = INNER(k, "val");
	struct type *s, *idr = INNER(k, "idr_rt", "xa_head");

	WORDS(k, "mm_struct", "pgd", "start_brk", "brk", "start_stack", "mmap");
	WORDS(k, "vm_area_struct", "vm_start", "vm_end", "vm_flags", "vm_file", "vm_pgoff",
	      "vm_ops", "vm_private_data", "vm_next");
	s = WORDS(k, "net", "count");
	kernel_member(s, "ns", INNER(k, "inum"), 8);
	kernel_member(s, "list", list, 16);
	kernel_member(s, "dev_base_head", list, 32);
	s = WORDS(k, "net_device", "ifindex", "mtu", "flags", "ip_ptr", "ip6_ptr");
	kernel_member(s, "name", kernel_array(k, &k->u8, 16), 40);
	kernel_member(s, "dev_list", list, 56);
	WORDS(k, "in_device", "ifa_list");
	WORDS(k, "in_ifaddr", "ifa_local", "ifa_prefixlen", "ifa_next");
	s = kernel_struct(k, "inet6_dev", 16);
	kernel_member(s, "addr_list", list, 0);
	s = WORDS(k, "inet6_ifaddr", "addr", "addr_high", "prefix_len");
	kernel_member(s, "if_list", list, 24);
	WORDS(k, "socket", "sk", "type");
	s = WORDS(k, "sock_common", "skc_family", "skc_state", "skc_num", "skc_dport", "skc_daddr",
		  "skc_rcv_saddr");
	kernel_member(s, "skc_net", INNER(k, "net"), 48);
	kernel_member(s, "skc_v6_daddr", kernel_array(k, &k->u8, 16), 64);
	kernel_member(s, "skc_v6_rcv_saddr", kernel_array(k, &k->u8, 16), 80);
	vfs_fake_sock(k);
	WORDS(k, "unix_sock", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "addr");
	WORDS(k, "unix_address", "len", "name");
	s = WORDS(k, "ipc_ids", "in_use");
	kernel_member(s, "ipcs_idr", idr, 8);
	s->size = 24;
	s = kernel_struct(k, "ipc_namespace", 72);
	kernel_member(s, "ids", kernel_array(k, s, 1), 0);
	s = WORDS(k, "kern_ipc_perm", "id", "key", "mode");
	kernel_member(s, "uid", id, 24);
	kernel_member(s, "gid", id, 32);
	s = kernel_struct(k, "shmid_kernel", 80);
	kernel_member(s, "shm_perm", &k->u64, 0);
	kernel_member(s, "shm_segsz", &k->u64, 40);
	kernel_member(s, "shm_nattch", &k->u64, 48);
	kernel_member(s, "shm_cprid", &k->u64, 56);
	kernel_member(s, "shm_lprid", &k->u64, 64);
	s = kernel_struct(k, "pid", 16);
	kernel_member(s, "numbers", &k->u64, 8);
	s = kernel_struct(k, "upid", 8);
	kernel_member(s, "nr", &k->s32, 0);
	s = WORDS(k, "swap_info_struct", "flags", "pages", "inuse_pages", "swap_file", "swap_map");
	kernel_member(s, "prio", &k->s32, 40);
	s->size = 48;
}

static inline void fake_dentry(struct fake_kernel *k, int at, int parent, int inode,
			       const char *name, int string)
{
	put64(k, F_AT(at), F_AT(parent));
	put64(k, F_AT(at) + 8, F_AT(inode));
	put64(k, F_AT(at) + 16, F_AT(F_SB));
	put64(k, F_AT(at) + 32, F_AT(F_SYMBOLS)); /* hashed */
	put64(k, F_AT(at) + 48, F_STR(string));
	put_str(k, F_STR(string), name);
	put_list(k, F_AT(at) + 72, NULL, 0);
}

static inline void fake_inode(struct fake_kernel *k, int at, uint64_t mode, uint64_t number,
			      int dentry)
{
	put64(k, F_AT(at), mode);
	put64(k, F_AT(at) + 8, F_AT(F_SB));
	put64(k, F_AT(at) + 16, number);
	put64(k, F_AT(at) + 24, 4096);
	put64(k, F_AT(at) + 32, 1);
	put64(k, F_AT(at) + 64, F_AT(dentry) + 88);
}

/* A mount with these mounted on it. */
static inline void fake_mount(struct fake_kernel *k, int at, int parent, int point, int root)
{
	put64(k, F_AT(at), F_AT(parent));
	put64(k, F_AT(at) + 8, F_AT(point));
	put64(k, F_AT(at) + 24, F_AT(F_MNTNS));
	put64(k, F_AT(at) + 32, F_AT(root));
	put64(k, F_AT(at) + 40, F_AT(F_SB));
	put_list(k, F_AT(at) + 56, NULL, 0);
}

static inline void fake_tree(struct fake_kernel *k)
{
	const uint64_t etc = F_AT(F_ETC) + 56,
		       in_etc[] = { F_AT(F_PASSWD) + 56, F_AT(F_LINK) + 56 };
	const uint64_t mount2 = F_AT(F_MOUNT2) + 72, sb = F_AT(F_SB) + 64;
	const uint64_t instances[] = { F_AT(F_MOUNT) + 88, F_AT(F_MOUNT2) + 88 };
	const uint64_t mounts[] = { F_AT(F_MOUNT) + 104, F_AT(F_MOUNT2) + 104 };
	const uint64_t inodes[] = { F_AT(F_ROOT_INODE) + 72, F_AT(F_PASSWD_INODE) + 72 };

	fake_dentry(k, F_ROOT, F_ROOT, F_ROOT_INODE, "/", 0);
	fake_dentry(k, F_ETC, F_ROOT, F_ETC_INODE, "etc", 1);
	fake_dentry(k, F_ETC2, F_ETC2, F_ETC_INODE, "/", 2);
	fake_dentry(k, F_PASSWD, F_ETC2, F_PASSWD_INODE, "passwd", 3);
	fake_dentry(k, F_LINK, F_ETC2, F_LINK_INODE, "link", 4);
	put_list(k, F_AT(F_ROOT) + 72, &etc, 1);
	put_list(k, F_AT(F_ETC2) + 72, in_etc, 2);
	fake_inode(k, F_ROOT_INODE, 0040755, 1, F_ROOT);
	fake_inode(k, F_ETC_INODE, 0040755, 2, F_ETC);
	fake_inode(k, F_PASSWD_INODE, 0100644, 3, F_PASSWD);
	fake_inode(k, F_LINK_INODE, 0120777, 4, F_LINK);
	put64(k, F_AT(F_LINK_INODE) + 48, F_STR(5));
	put_str(k, F_STR(5), "../etc/passwd");
	fake_mount(k, F_MOUNT, F_MOUNT, F_ROOT, F_ROOT);
	fake_mount(k, F_MOUNT2, F_MOUNT, F_ETC, F_ETC2);
	put_list(k, F_AT(F_MOUNT) + 56, &mount2, 1);
	put64(k, F_AT(F_SB), F_AT(F_FSTYPE));
	put64(k, F_AT(F_SB) + 8, F_AT(F_ROOT));
	put_str(k, F_AT(F_SB) + 32, "vda1");
	put64(k, F_AT(F_FSTYPE), F_STR(6));
	put_str(k, F_STR(6), "tmpfs");
	put_list(k, F_AT(F_SB) + 48, instances, 2);
	put_list(k, F_AT(F_SYMBOLS), &sb, 1); /* super_blocks */
	put_list(k, F_AT(F_SB) + 80, inodes, 2);
	put_list(k, F_AT(F_MNTNS), mounts, 2);
}

/* A file that is a stream socket of a family, in the one namespace. */
static inline void fake_socket(struct fake_kernel *k, int file, uint64_t family, uint64_t state)
{
	put64(k, F_AT(file), F_AT(file + 1));
	put64(k, F_AT(file + 1), F_AT(file + 2));
	put64(k, F_AT(file + 1) + 8, 1);
	put64(k, F_AT(file + 2), family);
	put64(k, F_AT(file + 2) + 8, state);
	put64(k, F_AT(file + 2) + 48, F_AT(F_NET));
}

/* 10.1.2.3:22 with 10.1.2.4:4096; [fe80::1]:80 listening; "@abc". Ports of the other side and
 * addresses are in the network's order. */
static inline void fake_sockets(struct fake_kernel *k)
{
	fake_socket(k, F_INETFILE, 2, 1);
	put64(k, F_AT(F_INETSOCK) + 16, 22);
	put_bytes(k, F_AT(F_INETSOCK) + 24, "\x10\0", 2);
	put_bytes(k, F_AT(F_INETSOCK) + 32, "\x0a\1\2\4", 4);
	put_bytes(k, F_AT(F_INETSOCK) + 40, "\x0a\1\2\3", 4);
	fake_socket(k, F_INET6FILE, 10, 10);
	put64(k, F_AT(F_INET6SOCK) + 16, 80);
	put_bytes(k, F_AT(F_INET6SOCK) + 80, "\xfe\x80", 2);
	put8(k, F_AT(F_INET6SOCK) + 95, 1);
	fake_socket(k, F_HIDDENFILE, 1, 7);
	put64(k, F_AT(F_HIDDENSOCK) + 56, F_AT(F_HIDDENADDR));
	put64(k, F_AT(F_HIDDENADDR), 2 + 4);
	put_str(k, F_AT(F_HIDDENADDR) + 11, "abc");
}

static inline void fake_net(struct fake_kernel *k)
{
	const uint64_t ifa6 = F_AT(F_IFA6) + 24;
	const uint64_t net = F_AT(F_NET) + 16, dev = F_AT(F_DEV) + 56;

	put64(k, F_AT(F_NET) + 8, 4026531840u);
	put_list(k, F_AT(F_SYMBOLS) + 16, &net, 1); /* net_namespace_list */
	put_list(k, F_AT(F_NET) + 32, &dev, 1);
	put64(k, F_AT(F_DEV), 1);
	put64(k, F_AT(F_DEV) + 8, 1500);
	put64(k, F_AT(F_DEV) + 24, F_AT(F_INDEV));
	put64(k, F_AT(F_DEV) + 32, F_AT(F_INET6DEV));
	put_str(k, F_AT(F_DEV) + 40, "eth0");
	put64(k, F_AT(F_INDEV), F_AT(F_IFA));
	put_bytes(k, F_AT(F_IFA), "\x0a\1\2\3", 4);
	put64(k, F_AT(F_IFA) + 8, 24);
	put_list(k, F_AT(F_INET6DEV), &ifa6, 1); /* fe80::1/64 */
	put_bytes(k, F_AT(F_IFA6), "\xfe\x80", 2);
	put8(k, F_AT(F_IFA6) + 15, 1);
	put64(k, F_AT(F_IFA6) + 16, 64);
	fake_sockets(k);
	put64(k, F_AT(F_SOCKFILE), F_AT(F_SOCKET));
	put64(k, F_AT(F_SOCKET), F_AT(F_SOCK));
	put64(k, F_AT(F_SOCKET) + 8, 1);
	put64(k, F_AT(F_SOCK), 1); /* unix */
	put64(k, F_AT(F_SOCK) + 48, F_AT(F_NET));
	put64(k, F_AT(F_SOCK) + 56, F_AT(F_UNIXADDR));
	put64(k, F_AT(F_UNIXADDR), 2 + 6);
	put_str(k, F_AT(F_UNIXADDR) + 10, "/run/x");
}

/* Everything, well-formed. */
static inline void vfs_fake_init(struct fake_kernel *k)
{
	walk_fake_init(k);
	vfs_fake_files(k);
	vfs_fake_others(k);
	kernel_symbol(k, "super_blocks", F_AT(F_SYMBOLS));
	kernel_symbol(k, "net_namespace_list", F_AT(F_SYMBOLS) + 16);
	kernel_symbol(k, "init_net", F_AT(F_NET));
	kernel_symbol(k, "init_ipc_ns", F_AT(F_IPCNS));
	kernel_symbol(k, "swap_info", F_AT(F_SYMBOLS) + 32);
	kernel_symbol(k, "nr_swapfiles", F_AT(F_SYMBOLS) + 48);
	put64(k, F_AT(F_TASK), F_AT(F_FILES));
	put64(k, F_AT(F_TASK) + 8, F_AT(F_FS));
	put64(k, F_AT(F_TASK) + 16, F_AT(F_PROXY));
	put64(k, F_AT(F_FILES), F_AT(F_FDTABLE));
	put64(k, F_AT(F_FDTABLE), 4);
	put64(k, F_AT(F_FDTABLE) + 8, F_AT(F_FDS));
	put64(k, F_AT(F_FDS) + 8, F_AT(F_FILE));
	put64(k, F_AT(F_FILE) + 8, F_AT(F_MOUNT2) + 32);
	put64(k, F_AT(F_FILE) + 16, F_AT(F_PASSWD));
	for (uint64_t i = 0; i < 32; i += 16) {
		put64(k, F_AT(F_FS) + i, F_AT(F_MOUNT) + 32);
		put64(k, F_AT(F_FS) + i + 8, F_AT(F_ROOT));
	}
	put64(k, F_AT(F_PROXY), F_AT(F_MNTNS));
	put64(k, F_AT(F_PROXY) + 8, F_AT(F_NET));
	put64(k, F_AT(F_PROXY) + 16, F_AT(F_IPCNS));
	fake_tree(k);
	fake_net(k);
	put64(k, F_AT(F_MM) + 32, F_AT(F_VMA));
	put64(k, F_AT(F_VMA), 0x400000);
	put64(k, F_AT(F_VMA) + 8, 0x401000);
	put64(k, F_AT(F_VMA) + 16, 5);
	put64(k, F_AT(F_VMA) + 24, F_AT(F_FILE));
	put64(k, F_AT(F_VMA) + 56, F_AT(F_VMA2));
	put64(k, F_AT(F_VMA2), 0x600000);
	put64(k, F_AT(F_VMA2) + 8, 0x602000);
	/* ids[2]: one segment, which is all that its index holds */
	put64(k, F_AT(F_IPCNS) + 48 + 16, F_AT(F_SHM));
	put64(k, F_AT(F_SHM), 7);
	put64(k, F_AT(F_SHM) + 40, 12345);
	put64(k, F_AT(F_SHM) + 56, F_AT(F_PID));
	put32(k, F_AT(F_PID) + 8, 126);
	put32(k, F_AT(F_SYMBOLS) + 48, 1);
	put64(k, F_AT(F_SYMBOLS) + 32, F_AT(F_SWAPINFO));
	put64(k, F_AT(F_SWAPINFO), 3);
	put64(k, F_AT(F_SWAPINFO) + 8, 100);
	put64(k, F_AT(F_SWAPINFO) + 16, 40);
	put64(k, F_AT(F_SWAPINFO) + 24, F_AT(F_FILE));
	put64(k, F_AT(F_SWAPINFO) + 32, 1);
	put32(k, F_AT(F_SWAPINFO) + 40, (uint32_t)-2);
}

/* The same task with a newer kernel, whose areas are in a maple tree; after vfs_fake_init(). */
static inline void vfs_fake_newer(struct fake_kernel *k)
{
	const uint64_t last[] = { 0x3fffff, 0x400fff, 0x5fffff, 0x601fff, UINT64_MAX };
	const uint64_t node = F_AT(F_MAPLE);

	for (size_t i = 0; i < k->n_types; i++)
		if (!strcmp(k->types[i]->name, "mm_struct"))
			kernel_member(k->types[i], "mm_mt", INNER(k, "ma_lock", "ma_root"), 40);
	put64(k, F_AT(F_MM) + 32, 0);
	put64(k, F_AT(F_MM) + 48, node | 1 << 3 | 2);
	put64(k, node, (F_AT(F_MM) + 40) | 1);
	for (size_t i = 0; i < ARRAY_SIZE(last); i++)
		put64(k, node + 8 + i * 8, last[i]);
	put64(k, node + 128 + 1 * 8, F_AT(F_VMA));
	put64(k, node + 128 + 3 * 8, F_AT(F_VMA2));
}

#endif
