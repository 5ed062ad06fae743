/* SPDX-License-Identifier: GPL-3.0-or-later */
/* System V IPC: what each IDR of a namespace holds. */
#include "core/linux/misc/ipc.h"
#include "core/types/shape.h"

#include "core/linux/container/walk.h"

struct kind {
	const char *type, *perm; /* the struct, and where in it its struct kern_ipc_perm is */
	const char *bytes;       /* NULL: it has none */
	const char *count;
	const char *creator, *last; /* members that point to a struct pid; NULL */
};
static const struct kind kinds[IPC_KINDS] = {
	[IPC_SEMAPHORES] = { "struct sem_array", "sem_perm", NULL, "sem_nsems", NULL, NULL },
	[IPC_MESSAGES] = { "struct msg_queue", "q_perm", "q_cbytes", "q_qnum", NULL, "q_lspid" },
	[IPC_MEMORY] = { "struct shmid_kernel", "shm_perm", "shm_segsz", "shm_nattch", "shm_cprid",
			 "shm_lprid" },
};

struct ipcs {
	struct target *t;
	enum ipc_kind kind;
	uint64_t perm; /* offset of the struct kern_ipc_perm */
	bool (*fn)(const struct ipc_object *o, void *arg);
	void (*flaw)(const struct err *e, void *arg);
	void *arg;
};

static void tell(const struct err *e, void *arg)
{
	const struct ipcs *w = arg;

	if (w->flaw)
		w->flaw(e, w->arg);
}

/* A number since 98f929b1bd4d (v4.17) a struct pid, as the initial namespace counts. */
static bool pid_read(struct target *t, const char *type, uint64_t addr, const char *member,
		     int *ret, struct err *err)
{
	uint64_t pid, off, nr;

	*ret = 0;
	if (!member)
		return true;
	if (!field_u64(t, type, addr, member, &pid, err))
		return false;
	if (!pid)
		return true;
	if (!field_offset(t, "struct pid", "numbers", &off, err) ||
	    !field_u64(t, "struct upid", pid + off, "nr", &nr, err))
		return false;
	*ret = (int)nr;
	return true;
}

static bool object_read(const struct ipcs *w, uint64_t perm, struct ipc_object *o, struct err *err)
{
	const struct kind *k = &kinds[w->kind];
	struct target *t = w->t;
	uint64_t id, key;

	*o = (struct ipc_object){ .kind = w->kind, .addr = perm - w->perm };
	if (!field_u64(t, "struct kern_ipc_perm", perm, "id", &id, err) ||
	    !field_u64(t, "struct kern_ipc_perm", perm, "key", &key, err) ||
	    !field_u64(t, "struct kern_ipc_perm", perm, "uid.val", &o->uid, err) ||
	    !field_u64(t, "struct kern_ipc_perm", perm, "gid.val", &o->gid, err) ||
	    !field_u64(t, "struct kern_ipc_perm", perm, "mode", &o->mode, err) ||
	    (k->bytes && !field_u64(t, k->type, o->addr, k->bytes, &o->bytes, err)) ||
	    !field_u64(t, k->type, o->addr, k->count, &o->count, err) ||
	    !pid_read(t, k->type, o->addr, k->creator, &o->creator, err) ||
	    !pid_read(t, k->type, o->addr, k->last, &o->last, err))
		return err_wrap(err, "%s 0x%llx", k->type, (unsigned long long)o->addr);
	o->id = (int)id;
	o->key = (int)key;
	return true;
}

static bool entry(const struct walk_entry *e, void *arg)
{
	const struct ipcs *w = arg;
	struct ipc_object o;
	struct err why;

	if (e->entry & 1) /* a number: an id that is about to be used */
		return true;
	if (object_read(w, e->entry, &o, &why))
		return w->fn(&o, w->arg);
	tell(&why, arg);
	return why.code != ERR_INTR;
}

static bool namespace_of(struct target *t, uint64_t task, uint64_t *ret, struct err *err)
{
	struct symbol ns;
	uint64_t proxy;

	if (!task) {
		if (!symbol_find(t, "init_ipc_ns", &ns, err))
			return false;
		*ret = ns.addr;
		return true;
	}
	if (!field_u64(t, "struct task_struct", task, "nsproxy", &proxy, err))
		return false;
	if (!proxy)
		return err_set(err, ERR_NOTFOUND, "the task is dead and has no IPC");
	return field_u64(t, "struct nsproxy", proxy, "ipc_ns", ret, err);
}

bool ipc_each(struct target *t, uint64_t task, enum ipc_kind kind,
	      bool (*fn)(const struct ipc_object *o, void *arg),
	      void (*flaw)(const struct err *e, void *arg), void *arg, struct err *err)
{
	struct ipcs w = { .t = t, .kind = kind, .fn = fn, .flaw = flaw, .arg = arg };
	struct walk_plan plan = {
		.what = "IPC", .entry = entry, .flaw = flaw ? tell : NULL, .arg = &w
	};
	const struct type *ids;
	uint64_t ns, off, idr;

	if (!namespace_of(t, task, &ns, err) ||
	    !field_offset(t, "struct ipc_namespace", "ids", &off, err) ||
	    !type_find(t, "struct ipc_ids", &ids, err) ||
	    !field_offset(t, "struct ipc_ids", "ipcs_idr", &idr, err) ||
	    !field_offset(t, kinds[kind].type, kinds[kind].perm, &w.perm, err))
		return false;
	plan.head = ns + off + (uint64_t)kind * ids->size + idr;
	return xarray_walk(t, &plan, err);
}
