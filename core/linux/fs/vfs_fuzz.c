/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes what reads files, mounts, names, areas, sockets, IPC and swap: hostile memory. */
#include <stdlib.h>

#include "core/linux/fs/dcache.h"
#include "core/linux/fs/file_user.h"
#include "core/linux/misc/ipc.h"
#include "core/linux/net/net.h"
#include "core/linux/fs/vfs_fake.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define SEEN_MAX 2000

static bool more(void *arg)
{
	return ++*(unsigned *)arg < SEEN_MAX;
}

static bool take_file(const struct vfs_open *f, void *arg)
{
	(void)f;
	return more(arg);
}

static bool take_mount(const struct vfs_mount *m, void *arg)
{
	if (!m->path || !m->type)
		abort();
	return more(arg);
}

static bool take_superblock(const struct superblock *s, void *arg)
{
	if (!s->type || !s->id)
		abort();
	return more(arg);
}

static bool take_address(uint64_t addr, void *arg)
{
	(void)addr;
	return more(arg);
}

static bool take_dentry(const struct vfs_dentry *d, void *arg)
{
	if (!d->name)
		abort();
	return more(arg);
}

static bool take_area(const struct vma *v, void *arg)
{
	(void)v;
	return more(arg);
}

static bool take_open(const struct open_file *f, void *arg)
{
	if (!f->users)
		abort();
	return more(arg);
}

static bool take_device(const struct net_device *d, void *arg)
{
	if (!d->name || d->n_addresses > NET_ADDRESSES_MAX)
		abort();
	return more(arg);
}

static bool take_ipc(const struct ipc_object *o, void *arg)
{
	(void)o;
	return more(arg);
}

static bool take_swap(const struct swap_area *s, void *arg)
{
	if (!s->path)
		abort();
	return more(arg);
}

static void flaw(const struct err *e, void *arg)
{
	(void)arg;
	if (!*e->msg)
		abort();
}

/* A failure says why. */
static void held(bool ok, struct err *err)
{
	if (!ok && !*err->msg)
		abort();
	err->msg[0] = '\0';
}

static void fuzz_net(struct fake_kernel *k, unsigned *n)
{
	static const int files[] = { F_SOCKFILE, F_INETFILE, F_INET6FILE, F_HIDDENFILE };
	struct net_socket socket;
	struct err err = { 0 };
	uint64_t net, number;

	held(net_namespaces(&k->t, take_address, flaw, n, &err), &err);
	held(net_devices(&k->t, 0, &k->scratch, take_device, flaw, n, &err), &err);
	if (net_namespace_of(&k->t, F_AT(F_TASK), &net, &err))
		held(net_namespace_number(&k->t, net, &number, &err), &err);
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		held(net_socket(&k->t, F_AT(files[i]), &k->scratch, &socket, &err), &err);
}

/* Byte 0 absent pages, its highest bit a newer kernel; then 2 bytes of place and 8 of value over a
 * kernel that makes sense. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const paths[] = { "/etc/passwd", "/etc/link", "../etc/../nix" };
	struct fake_kernel *k;
	struct vfs_inode inode;
	enum inode_dirt dirt;
	struct vfs_place place;
	const struct task task = { .addr = F_AT(F_TASK), .mm = F_AT(F_MM) };
	const struct file_sought sought = { .sb = F_AT(F_SB), .path = "/etc/passwd" };
	struct file_user user;
	const char *path;
	struct arena *a;
	unsigned n = 0;
	struct err err = { 0 };

	if (!size)
		return 0;
	k = xrealloc(NULL, sizeof(*k));
	a = &k->scratch;
	vfs_fake_init(k);
	if (data[0] & 0x80)
		vfs_fake_newer(k);
	for (size_t i = 1; i + 10 <= size; i += 10)
		put64(k, KERNEL_BASE + 0x1000 + load_le16(data + i) % ((F_END - F_AT(0)) / 8) * 8u,
		      load_le64(data + i + 2));
	k->holes = (uint64_t)(data[0] & 0x7f) << 2;
	held(vfs_files(&k->t, F_AT(F_TASK), a, take_file, flaw, &n, &err), &err);
	held(vfs_mounts(&k->t, F_AT(F_TASK), a, take_mount, flaw, &n, &err), &err);
	held(superblocks_each(&k->t, a, take_superblock, flaw, &n, &err), &err);
	held(inodes_each(&k->t, F_AT(F_SB), take_address, flaw, &n, &err), &err);
	held(dentries_each(&k->t, F_AT(F_ETC2), a, take_dentry, flaw, &n, &err), &err);
	held(file_user_find(&k->t, &task, &sought, &user, flaw, &n, &err), &err);
	held(open_files_each(&k->t, a, take_open, flaw, &n, &err), &err);
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++)
		held(vfs_lookup(&k->t, F_AT(F_TASK), paths[i], a, &place, &err), &err);
	if (inode_read(&k->t, F_AT(F_PASSWD_INODE), &inode, &err)) {
		held(inode_path(&k->t, &inode, F_AT(F_MOUNT2), a, &path, &err), &err);
		held(inode_dirty(&k->t, &inode, &dirt, &err), &err);
	}
	held(vma_each(&k->t, F_AT(F_MM), a, take_area, flaw, &n, &err), &err);
	fuzz_net(k, &n);
	for (enum ipc_kind kind = 0; kind < IPC_KINDS; kind++)
		held(ipc_each(&k->t, F_AT(F_TASK), kind, take_ipc, flaw, &n, &err), &err);
	held(swap_areas(&k->t, a, take_swap, flaw, &n, &err), &err);
	kernel_release(k);
	free(k);
	return 0;
}
