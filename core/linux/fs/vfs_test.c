/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of mounts, files, names, areas, sockets, IPC and swap: well-formed, then broken. */
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "core/base/test.h"
#include "core/linux/fs/dcache.h"
#include "core/linux/misc/ipc.h"
#include "core/linux/net/net.h"
#include "core/linux/fs/vfs_fake.h"

struct seen {
	unsigned n, flaws;
	char said[240]; /* by the first flaw */
	char last[64];
};

static void flaw(const struct err *e, void *arg)
{
	struct seen *s = arg;

	if (!s->flaws++)
		snprintf(s->said, sizeof(s->said), "%s", e->msg);
}

static bool saw(struct seen *s, const char *text)
{
	s->n++;
	snprintf(s->last, sizeof(s->last), "%s", text ? text : "");
	return true;
}

static bool saw_file(const struct vfs_open *f, void *arg)
{
	return saw(arg, f->path);
}

static bool saw_mount(const struct vfs_mount *m, void *arg)
{
	return saw(arg, m->path);
}

static bool saw_superblock(const struct superblock *s, void *arg)
{
	return saw(arg, s->path);
}

static bool saw_inode(uint64_t inode, void *arg)
{
	return saw(arg, inode == F_AT(F_PASSWD_INODE) ? "passwd" : "");
}

static bool saw_dentry(const struct vfs_dentry *d, void *arg)
{
	return saw(arg, d->name);
}

static bool saw_area(const struct vma *v, void *arg)
{
	return saw(arg, v->name);
}

static bool saw_device(const struct net_device *d, void *arg)
{
	return saw(arg, d->n_addresses ? d->addresses[0] : NULL);
}

static bool saw_ipc(const struct ipc_object *o, void *arg)
{
	CHECK_U64(o->bytes, 12345);
	CHECK_U64((uint64_t)o->creator, 126);
	return saw(arg, "segment");
}

static bool saw_swap(const struct swap_area *a, void *arg)
{
	CHECK_U64(a->size, 100 * 4096);
	CHECK_U64(a->used, 40 * 4096);
	CHECK(a->priority == -2 && !a->partition);
	return saw(arg, a->path);
}

static struct fake_kernel *fresh(void)
{
	struct fake_kernel *k = xrealloc(NULL, sizeof(*k));

	vfs_fake_init(k);
	return k;
}

static void done(struct fake_kernel *k)
{
	kernel_release(k);
	free(k);
}

TEST(files_and_their_paths)
{
	struct fake_kernel *k = fresh();
	struct seen s = { 0 };
	const char *path;
	struct err err;

	CHECK_OK(vfs_files(&k->t, F_AT(F_TASK), &k->scratch, saw_file, flaw, &s, &err), err);
	CHECK(s.n == 1 && !s.flaws);
	CHECK_STR(s.last, "/etc/passwd");
	/* taken out of its directory */
	put64(k, F_AT(F_PASSWD) + 32, 0);
	CHECK_OK(vfs_file_path(&k->t, F_AT(F_FILE), &k->scratch, &path, &err), err);
	CHECK_STR(path, "/etc/passwd (deleted)");
	/* its directory is below itself: the names go on for ever, and the path ends in what was
	 * found */
	put64(k, F_AT(F_PASSWD) + 32, 1);
	put64(k, F_AT(F_PASSWD), F_AT(F_LINK));
	put64(k, F_AT(F_LINK), F_AT(F_PASSWD));
	CHECK_OK(vfs_file_path(&k->t, F_AT(F_FILE), &k->scratch, &path, &err), err);
	CHECK(strncmp(path, "...", 3) == 0);
	/* a table for a billion files is none */
	put64(k, F_AT(F_FDTABLE), 1u << 30);
	CHECK(!vfs_files(&k->t, F_AT(F_TASK), &k->scratch, saw_file, flaw, &s, &err));
	CHECK_ERR(err, ERR_CORRUPT);
	done(k);
}

TEST(mounts_and_superblocks)
{
	struct fake_kernel *k = fresh();
	struct seen s = { 0 }, broken = { 0 };
	struct err err;

	CHECK_OK(vfs_mounts(&k->t, F_AT(F_TASK), &k->scratch, saw_mount, flaw, &s, &err), err);
	CHECK(s.n == 2 && !s.flaws);
	CHECK_STR(s.last, "/etc");
	s = (struct seen){ 0 };
	CHECK_OK(superblocks_each(&k->t, &k->scratch, saw_superblock, flaw, &s, &err), err);
	CHECK(s.n == 1 && !s.flaws);
	CHECK_STR(s.last, "/");
	s = (struct seen){ 0 };
	CHECK_OK(inodes_each(&k->t, F_AT(F_SB), saw_inode, flaw, &s, &err), err);
	CHECK(s.n == 2 && !s.flaws);
	CHECK_STR(s.last, "passwd");
	/* the second inode leads to the first: a circle that misses the head */
	put64(k, F_AT(F_PASSWD_INODE) + 72, F_AT(F_ROOT_INODE) + 72);
	CHECK(!inodes_each(&k->t, F_AT(F_SB), saw_inode, flaw, &broken, &err));
	CHECK_ERR(err, ERR_CORRUPT);
	CHECK(broken.n == 2 && strstr(err.msg, "comes back"));
	/* no mount can be told from the list, and the superblock is there nevertheless */
	put64(k, F_AT(F_SB) + 48, 0x10);
	broken = (struct seen){ 0 };
	CHECK_OK(superblocks_each(&k->t, &k->scratch, saw_superblock, flaw, &broken, &err), err);
	CHECK(broken.n == 1 && broken.flaws == 1);
	done(k);
}

/* As in v7.2: the task's root covers the first mount; a superblock's mounts are a chain, of which
 * the second is the task's. */
TEST(a_root_covers_what_it_lies_on)
{
	struct fake_kernel *k = fresh();
	struct seen s = { 0 };
	struct err err;

	put64(k, F_AT(F_MOUNT2) + 8, F_AT(F_ROOT));
	put64(k, F_AT(F_FS), F_AT(F_MOUNT2) + 32);
	CHECK_OK(vfs_mounts(&k->t, F_AT(F_TASK), &k->scratch, saw_mount, flaw, &s, &err), err);
	CHECK(s.n == 1 && !s.flaws);
	CHECK_STR(s.last, "/");
	/* somebody's root in a directory covers nothing */
	put64(k, F_AT(F_MOUNT2) + 8, F_AT(F_ETC));
	s = (struct seen){ 0 };
	CHECK_OK(vfs_mounts(&k->t, F_AT(F_TASK), &k->scratch, saw_mount, flaw, &s, &err), err);
	CHECK(s.n == 2 && !s.flaws);
	done(k);
}

TEST(mounts_of_a_superblock_in_a_chain)
{
	struct fake_kernel *k = fresh();
	struct seen s = { 0 };
	struct err err;

	for (size_t i = 0; i < k->n_types; i++)
		for (unsigned j = 0; j < k->types[i]->n_members; j++)
			if (!strcmp(k->types[i]->members[j].name, "mnt_instance"))
				k->types[i]->members[j].name = "mnt_next_for_sb";
	put64(k, F_AT(F_SB) + 48, F_AT(F_MOUNT2));
	put64(k, F_AT(F_MOUNT2) + 88, 0);
	CHECK_OK(superblocks_each(&k->t, &k->scratch, saw_superblock, flaw, &s, &err), err);
	CHECK(s.n == 1 && !s.flaws);
	CHECK_STR(s.last, "/etc");
	/* the first is in no namespace, the second is */
	put64(k, F_AT(F_MOUNT2) + 24, 0);
	put64(k, F_AT(F_MOUNT2) + 88, F_AT(F_MOUNT));
	put64(k, F_AT(F_MOUNT) + 88, 0);
	s = (struct seen){ 0 };
	CHECK_OK(superblocks_each(&k->t, &k->scratch, saw_superblock, flaw, &s, &err), err);
	CHECK(s.n == 1 && !s.flaws);
	CHECK_STR(s.last, "/");
	/* a chain without an end */
	put64(k, F_AT(F_MOUNT2) + 88, F_AT(F_MOUNT2));
	s = (struct seen){ 0 };
	CHECK_OK(superblocks_each(&k->t, &k->scratch, saw_superblock, flaw, &s, &err), err);
	CHECK(s.n == 1 && s.flaws == 1 && strstr(s.said, "comes back"));
	done(k);
}

static uint64_t found(struct fake_kernel *k, const char *path, struct err *err)
{
	struct vfs_place place;

	return vfs_lookup(&k->t, F_AT(F_TASK), path, &k->scratch, &place, err) ? place.dentry : 0;
}

TEST(paths_are_looked_up)
{
	struct fake_kernel *k = fresh();
	struct seen s = { 0 };
	struct err err = { 0 };

	CHECK_U64(found(k, "/", &err), F_AT(F_ROOT));
	CHECK_U64(found(k, "/etc", &err), F_AT(F_ETC2)); /* what is mounted there */
	CHECK_U64(found(k, "etc//./passwd", &err), F_AT(F_PASSWD));
	CHECK_U64(found(k, "/etc/../../etc/passwd", &err), F_AT(F_PASSWD));
	CHECK_U64(found(k, "/etc/link", &err), F_AT(F_PASSWD));
	CHECK_U64(found(k, "/etc/shadow", &err), 0);
	CHECK_ERR(err, ERR_NOTFOUND);
	/* a link to itself ends after as many as the kernel follows */
	put_str(k, F_STR(5), "/etc/link");
	CHECK_U64(found(k, "/etc/link", &err), 0);
	CHECK_ERR(err, ERR_LIMIT);
	/* mounted upon itself */
	put64(k, F_AT(F_MOUNT2) + 56, F_AT(F_MOUNT2) + 72);
	put64(k, F_AT(F_MOUNT2) + 72, F_AT(F_MOUNT2) + 56);
	put64(k, F_AT(F_MOUNT2) + 32, F_AT(F_ETC));
	CHECK_U64(found(k, "/etc", &err), 0);
	CHECK_ERR(err, ERR_CORRUPT);
	CHECK_OK(dentries_each(&k->t, F_AT(F_ETC2), &k->scratch, saw_dentry, flaw, &s, &err), err);
	CHECK(s.n == 2 && !s.flaws);
	/* one name cannot be read: it is told of, and the other stays */
	put64(k, F_AT(F_PASSWD) + 48, 0x1234);
	s = (struct seen){ 0 };
	CHECK_OK(dentries_each(&k->t, F_AT(F_ETC2), &k->scratch, saw_dentry, flaw, &s, &err), err);
	CHECK(s.n == 1 && s.flaws == 1 && strstr(s.said, "dentry"));
	/* poison where the next one was */
	put64(k, F_AT(F_PASSWD) + 56, 0xdead000000000100);
	CHECK(!dentries_each(&k->t, F_AT(F_ETC2), &k->scratch, saw_dentry, flaw, &s, &err));
	CHECK_ERR(err, ERR_CORRUPT);
	CHECK(strstr(err.msg, "LIST_POISON1") != NULL);
	done(k);
}

TEST(areas)
{
	struct fake_kernel *k = fresh();
	struct seen s = { 0 };
	struct err err;

	CHECK_OK(vma_each(&k->t, F_AT(F_MM), &k->scratch, saw_area, flaw, &s, &err), err);
	CHECK(s.n == 2 && !s.flaws);
	put64(k, F_AT(F_VMA2) + 56, F_AT(F_VMA2)); /* its own successor */
	s = (struct seen){ 0 };
	CHECK(!vma_each(&k->t, F_AT(F_MM), &k->scratch, saw_area, flaw, &s, &err));
	CHECK_ERR(err, ERR_CORRUPT);
	put64(k, F_AT(F_VMA) + 56, 0x10); /* no address of the kernel's */
	s = (struct seen){ 0 };
	CHECK_OK(vma_each(&k->t, F_AT(F_MM), &k->scratch, saw_area, flaw, &s, &err), err);
	CHECK(s.n == 1 && s.flaws == 1 && strstr(s.said, "area 0x10"));
	done(k);
}

/* d4af56c5c7c6 (v6.1): the same areas in a maple tree. */
TEST(areas_in_a_maple_tree)
{
	struct fake_kernel *k = fresh();
	struct seen s = { 0 };
	struct err err;

	vfs_fake_newer(k);
	CHECK_OK(vma_each(&k->t, F_AT(F_MM), &k->scratch, saw_area, flaw, &s, &err), err);
	CHECK(s.n == 2 && !s.flaws);
	/* one that is in no memory costs itself */
	put64(k, F_AT(F_MAPLE) + 128 + 8, KERNEL_BASE + KERNEL_SIZE);
	s = (struct seen){ 0 };
	CHECK_OK(vma_each(&k->t, F_AT(F_MM), &k->scratch, saw_area, flaw, &s, &err), err);
	CHECK(s.n == 1 && s.flaws == 1);
	CHECK(!vma_each(&k->t, 0, &k->scratch, saw_area, flaw, &s, &err));
	CHECK_CONTAINS(err.msg, "a kernel thread has no memory of its own");
	done(k);
}

static bool check_device(const struct net_device *d, void *arg)
{
	struct seen *s = arg;

	CHECK_STR(d->name, "eth0");
	CHECK_U64(d->index, 1);
	CHECK_U64(d->mtu, 1500);
	if (!CHECK(d->n_addresses == 2))
		return false;
	CHECK_STR(d->addresses[0], "10.1.2.3/24");
	CHECK_STR(d->addresses[1], "fe80::1/64");
	return ++s->n < 10;
}

static void check_socket(struct fake_kernel *k, int file, const char *family, const char *state,
			 const char *source, const char *destination)
{
	struct net_socket sock;
	struct err err;

	REQUIRE_OK(net_socket(&k->t, F_AT(file), &k->scratch, &sock, &err), err);
	CHECK_STR(sock.family, family);
	CHECK_STR(sock.type, "STREAM");
	CHECK_STR(sock.state, state);
	CHECK_STR(sock.source, source);
	CHECK(!destination == !sock.destination);
	if (destination && sock.destination)
		CHECK_STR(sock.destination, destination);
	CHECK_U64(sock.net, F_AT(F_NET));
}

/* States are TCP_ESTABLISHED 1, TCP_CLOSE 7, TCP_LISTEN 10; families AF_UNIX 1, AF_INET 2,
 * AF_INET6 10. */
TEST(sockets_of_each_family)
{
	struct fake_kernel *k = fresh();
	struct seen s = { 0 };
	uint64_t net, number;
	struct err err;

	CHECK_OK(net_devices(&k->t, 0, &k->scratch, check_device, flaw, &s, &err), err);
	CHECK(s.n == 1 && !s.flaws);
	check_socket(k, F_INETFILE, "INET", "ESTABLISHED", "10.1.2.3:22", "10.1.2.4:4096");
	check_socket(k, F_INET6FILE, "INET6", "LISTEN", "[fe80::1]:80", "[::]:0");
	check_socket(k, F_HIDDENFILE, "UNIX", "CLOSE", "@abc", NULL);
	CHECK_OK(net_namespace_of(&k->t, F_AT(F_TASK), &net, &err), err);
	CHECK_U64(net, F_AT(F_NET));
	CHECK_OK(net_namespace_number(&k->t, net, &number, &err), err);
	CHECK_U64(number, 4026531840u);
	/* a task that has left its namespaces */
	put64(k, F_AT(F_TASK) + 16, 0);
	CHECK(!net_namespace_of(&k->t, F_AT(F_TASK), &net, &err));
	CHECK_ERR(err, ERR_NOTFOUND);
	done(k);
}

/* struct sockaddr_un: two bytes of family, then at most 108 of the path (include/uapi/linux/un.h);
 * the kernel counts one more for the NUL that it puts behind a path in the file system. */
TEST(names_of_unix_sockets)
{
	struct fake_kernel *k = fresh();
	struct net_socket sock;
	struct err err;

	put64(k, F_AT(F_HIDDENADDR), 2 + 2);
	check_socket(k, F_HIDDENFILE, "UNIX", "CLOSE", "@a", NULL);
	put64(k, F_AT(F_HIDDENADDR), 2 + 1);
	check_socket(k, F_HIDDENFILE, "UNIX", "CLOSE", "@", NULL);
	put64(k, F_AT(F_HIDDENADDR), 2);
	check_socket(k, F_HIDDENFILE, "UNIX", "CLOSE", "", NULL);
	put64(k, F_AT(F_HIDDENADDR), 1);
	CHECK(!net_socket(&k->t, F_AT(F_HIDDENFILE), &k->scratch, &sock, &err));
	CHECK_CONTAINS(err.msg, "a name of 1 bytes");
	put64(k, F_AT(F_UNIXADDR), 2 + 108);
	CHECK(net_socket(&k->t, F_AT(F_SOCKFILE), &k->scratch, &sock, &err));
	put64(k, F_AT(F_UNIXADDR), 2 + 110);
	CHECK(!net_socket(&k->t, F_AT(F_SOCKFILE), &k->scratch, &sock, &err));
	CHECK_CONTAINS(err.msg, "a name of 112 bytes");
	/* bound to nothing; an address that no memory has */
	put64(k, F_AT(F_SOCK) + 56, 0);
	CHECK(net_socket(&k->t, F_AT(F_SOCKFILE), &k->scratch, &sock, &err) && !sock.source);
	put64(k, F_AT(F_SOCK) + 56, KERNEL_BASE + KERNEL_SIZE);
	CHECK(!net_socket(&k->t, F_AT(F_SOCKFILE), &k->scratch, &sock, &err));
	CHECK_ERR(err, ERR_UNMAPPED);
	done(k);
}

/* The C library's numbers are the kernel's. */
TEST(names_of_families_types_and_states)
{
	static const struct {
		unsigned n;
		const char *name;
	} families[] = { { AF_KEY, "KEY" },
			 { AF_NETLINK, "NETLINK" },
			 { AF_PACKET, "PACKET" },
			 { AF_CAN, "CAN" },
			 { AF_BLUETOOTH, "BLUETOOTH" },
			 { AF_ALG, "ALG" },
			 { AF_VSOCK, "VSOCK" },
			 { AF_XDP, "XDP" },
			 { AF_X25, "9" } },
	  types[] = { { SOCK_STREAM, "STREAM" },
		      { SOCK_DGRAM, "DGRAM" },
		      { SOCK_RAW, "RAW" },
		      { SOCK_RDM, "RDM" },
		      { SOCK_SEQPACKET, "SEQPACKET" },
		      { SOCK_DCCP, "DCCP" },
		      { SOCK_PACKET, "PACKET" },
		      { 0, NULL },
		      { 7, NULL },
		      { 1000, NULL } },
	  states[] = { { TCP_ESTABLISHED, "ESTABLISHED" },
		       { TCP_SYN_SENT, "SYN_SENT" },
		       { TCP_SYN_RECV, "SYN_RECV" },
		       { TCP_FIN_WAIT1, "FIN_WAIT1" },
		       { TCP_FIN_WAIT2, "FIN_WAIT2" },
		       { TCP_TIME_WAIT, "TIME_WAIT" },
		       { TCP_CLOSE, "CLOSE" },
		       { TCP_CLOSE_WAIT, "CLOSE_WAIT" },
		       { TCP_LAST_ACK, "LAST_ACK" },
		       { TCP_LISTEN, "LISTEN" },
		       { TCP_CLOSING, "CLOSING" },
		       { 0, NULL },
		       { 13, NULL } };
	struct fake_kernel *k = fresh();
	struct net_socket sock;
	struct err err;

	for (size_t i = 0; i < ARRAY_SIZE(states); i++) {
		put64(k, F_AT(F_INETSOCK) + 8, states[i].n);
		REQUIRE_OK(net_socket(&k->t, F_AT(F_INETFILE), &k->scratch, &sock, &err), err);
		CHECK(!sock.state == !states[i].name);
		if (sock.state && states[i].name)
			CHECK_STR(sock.state, states[i].name);
	}
	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		put64(k, F_AT(F_INETSOCKET) + 8, types[i].n);
		REQUIRE_OK(net_socket(&k->t, F_AT(F_INETFILE), &k->scratch, &sock, &err), err);
		CHECK(!sock.type == !types[i].name);
		if (sock.type && types[i].name)
			CHECK_STR(sock.type, types[i].name);
		CHECK(types[i].n == SOCK_STREAM || !sock.state); /* only connections have one */
	}
	for (size_t i = 0; i < ARRAY_SIZE(families); i++) {
		put64(k, F_AT(F_INETSOCK), families[i].n);
		REQUIRE_OK(net_socket(&k->t, F_AT(F_INETFILE), &k->scratch, &sock, &err), err);
		CHECK_STR(sock.family, families[i].name);
		CHECK(!sock.source && !sock.destination);
	}
	done(k);
}

/* /proc/net/tcp's queues: what is written and not acknowledged, what came and nobody read, by
 * sequence numbers of 32 bits, which wrap; of a socket that listens, the connections to accept. */
TEST(what_waits_in_sockets)
{
	const uint64_t sk = F_AT(F_INETSOCK);
	struct fake_kernel *k = fresh();
	struct net_socket s;
	struct err err;

	put64(k, sk + 0x130, IPPROTO_TCP);
	put64(k, sk + 0x108, 66);
	put32(k, sk + 0x150, 4); /* 4 - (2^32 - 6) */
	put32(k, sk + 0x154, 0xfffffffa);
	put32(k, sk + 0x158, 1500);
	put32(k, sk + 0x15c, 500);
	REQUIRE_OK(net_socket(&k->t, F_AT(F_INETFILE), &k->scratch, &s, &err), err);
	CHECK(s.whole && s.sized && !s.listens && !s.orphan);
	CHECK_U64(s.tx, 10);
	CHECK_U64(s.rx, 1000);
	CHECK_U64(s.backlog, 66);
	put32(k, sk + 0x15c, 1501); /* a FIN that is counted as read before it came */
	REQUIRE_OK(net_socket(&k->t, F_AT(F_INETFILE), &k->scratch, &s, &err), err);
	CHECK_U64(s.rx, 0);
	put64(k, sk + 8, 10);
	put64(k, sk + 0x120, 2);
	put64(k, sk + 0x128, 5);
	REQUIRE_OK(net_socket(&k->t, F_AT(F_INETFILE), &k->scratch, &s, &err), err);
	CHECK(!s.sized && s.listens && s.accept == 2 && s.accept_max == 5);
	/* UDP: memory that packets take, less what was read and is accounted for later; one byte is
	 * the socket's own */
	put64(k, sk + 8, 7);
	put64(k, sk + 0x130, IPPROTO_UDP);
	put64(k, sk + 0x100, 2000);
	put32(k, sk + 0x150, 720);
	put64(k, sk + 0x110, 769);
	REQUIRE_OK(net_socket(&k->t, F_AT(F_INETFILE), &k->scratch, &s, &err), err);
	CHECK(s.sized && s.rx == 1280 && s.tx == 768);
	/* out of a table: of nobody; then what stands for a connection that is over, and for one
	 * that begins */
	s = (struct net_socket){ .sock = sk };
	put64(k, sk + 0x138, 2);
	REQUIRE_OK(net_sock(&k->t, &k->scratch, &s, &err), err);
	CHECK(s.whole && s.orphan && !s.addr && !s.state);
	CHECK_STR(s.type, "DGRAM");
	put64(k, sk + 8, TCP_TIME_WAIT);
	put8(k, sk + 0x98, TCP_FIN_WAIT2);
	s = (struct net_socket){ .sock = sk };
	REQUIRE_OK(net_sock(&k->t, &k->scratch, &s, &err), err);
	CHECK(!s.whole && !s.sized && s.orphan);
	CHECK_STR(s.state, "FIN_WAIT2");
	put64(k, sk + 8, 12); /* TCP_NEW_SYN_RECV */
	s = (struct net_socket){ .sock = sk };
	REQUIRE_OK(net_sock(&k->t, &k->scratch, &s, &err), err);
	CHECK(!s.whole && !s.sized && !s.orphan);
	CHECK_STR(s.state, "SYN_RECV");
	done(k);
}

TEST(longest_path_of_a_unix_socket)
{
	struct fake_kernel *k = fresh();
	struct net_socket sock;
	char path[110];
	struct err err;

	/* all of sun_path */
	memset(path, 'x', sizeof(path));
	path[0] = '/';
	path[108] = '\0';
	put_str(k, F_AT(F_UNIXADDR) + 10, path);
	put64(k, F_AT(F_UNIXADDR), 2 + 108 + 1);
	REQUIRE_OK(net_socket(&k->t, F_AT(F_SOCKFILE), &k->scratch, &sock, &err), err);
	CHECK_STR(sock.source, path);
	/* without that NUL it ends all the same */
	put8(k, F_AT(F_UNIXADDR) + 10 + 108, 'x');
	put8(k, F_AT(F_UNIXADDR) + 10 + 109, 'x');
	REQUIRE_OK(net_socket(&k->t, F_AT(F_SOCKFILE), &k->scratch, &sock, &err), err);
	CHECK_U64(strlen(sock.source), 109);
	done(k);
}

TEST(devices_and_sockets)
{
	struct fake_kernel *k = fresh();
	struct seen s = { 0 };
	struct net_socket sock;
	struct err err;

	CHECK_OK(net_devices(&k->t, 0, &k->scratch, saw_device, flaw, &s, &err), err);
	CHECK(s.n == 1 && !s.flaws);
	CHECK_STR(s.last, "10.1.2.3/24");
	CHECK_OK(net_socket(&k->t, F_AT(F_SOCKFILE), &k->scratch, &sock, &err), err);
	CHECK_STR(sock.family, "UNIX");
	CHECK_STR(sock.source, "/run/x");
	CHECK_U64(sock.net, F_AT(F_NET));
	put64(k, F_AT(F_UNIXADDR), 5000);
	CHECK(!net_socket(&k->t, F_AT(F_SOCKFILE), &k->scratch, &sock, &err));
	CHECK_ERR(err, ERR_CORRUPT);
	/* an address that follows itself: the device stays, and it is said */
	put64(k, F_AT(F_IFA) + 16, F_AT(F_IFA));
	s = (struct seen){ 0 };
	CHECK_OK(net_devices(&k->t, 0, &k->scratch, saw_device, flaw, &s, &err), err);
	CHECK(s.n == 1 && s.flaws == 1);
	done(k);
}

TEST(ipc_and_swap)
{
	struct fake_kernel *k = fresh();
	struct seen s = { 0 };
	struct err err;

	CHECK_OK(ipc_each(&k->t, F_AT(F_TASK), IPC_MEMORY, saw_ipc, flaw, &s, &err), err);
	CHECK(s.n == 1 && !s.flaws);
	put64(k, F_AT(F_SHM) + 56, 0x18); /* the creator's struct pid */
	s = (struct seen){ 0 };
	CHECK_OK(ipc_each(&k->t, 0, IPC_MEMORY, saw_ipc, flaw, &s, &err), err);
	CHECK(s.n == 0 && s.flaws == 1 && strstr(s.said, "shmid_kernel"));
	s = (struct seen){ 0 };
	CHECK_OK(swap_areas(&k->t, &k->scratch, saw_swap, flaw, &s, &err), err);
	CHECK(s.n == 1 && !s.flaws);
	CHECK_STR(s.last, "/etc/passwd");
	put64(k, F_AT(F_SYMBOLS) + 32, 0x20);
	s = (struct seen){ 0 };
	CHECK_OK(swap_areas(&k->t, &k->scratch, saw_swap, flaw, &s, &err), err);
	CHECK(s.n == 0 && s.flaws == 1);
	put32(k, F_AT(F_SYMBOLS) + 48, 100000);
	CHECK(!swap_areas(&k->t, &k->scratch, saw_swap, flaw, &s, &err));
	CHECK_ERR(err, ERR_CORRUPT);
	done(k);
}

TEST_MAIN
