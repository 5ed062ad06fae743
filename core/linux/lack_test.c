/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests that nothing is made up where types lack a member, or a pointer leads nowhere: with any one
 * of them gone each question is answered as before, or what is told names the member; with any one
 * pointer gone the answer is the same, shows that pointer, or something is told. */
#include "core/base/buf.h"
#include "core/base/test.h"
#include "core/linux/bpf/bpf_fake.h"
#include "core/linux/fs/dcache.h"
#include "core/linux/trace/hist_fake.h"
#include "core/linux/misc/ipc.h"
#include "core/linux/misc/irq.h"
#include "core/linux/task/runq.h"
#include "core/linux/trace/kprobe.h"
#include "core/linux/machine_fake.h"
#include "core/linux/net/net.h"
#include "core/linux/fs/vfs_fake.h"
#include "core/linux/memory/vmalloc.h"
#include "core/linux/memory/zone.h"

typedef unsigned long long ull;

/* What a question came to: rows, and what was told of the rest. */
struct answer {
	struct fake_kernel *k;
	struct buf rows, told;
};

static void tell(const struct err *e, void *arg)
{
	struct answer *a = arg;

	buf_printf(&a->told, "%s; ", e->msg);
}

static void ended(struct answer *a, bool ok, const struct err *err)
{
	if (!ok)
		tell(err, a);
}

/* ---- the machine's */

static bool irq_row(const struct irq *irq, void *arg)
{
	struct answer *a = arg;

	buf_printf(&a->rows, "%llu %llx %llu %s %llx %llu/%u", (ull)irq->nr, (ull)irq->desc,
		   (ull)irq->hwirq, irq->chip ? irq->chip : "-", (ull)irq->affinity,
		   (ull)irq->total, irq->cpus);
	for (size_t i = 0; i < irq->n_actions; i++)
		buf_printf(&a->rows, " %s %llx %llx", irq->actions[i].name,
			   (ull)irq->actions[i].handler, (ull)irq->actions[i].thread);
	buf_char(&a->rows, '\n');
	return true;
}

static void ask_irqs(struct answer *a)
{
	struct err err;

	ended(a, irq_each(&a->k->t, &a->k->scratch, irq_row, tell, a, &err), &err);
}

static void timer_rows(struct answer *a, const struct ktimer *all, size_t n)
{
	for (size_t i = 0; i < n; i++)
		buf_printf(&a->rows, "%s %llx %llu %llx\n", all[i].base, (ull)all[i].addr,
			   (ull)all[i].expires, (ull)all[i].function);
}

static void ask_timers(struct answer *a)
{
	const struct ktimer *all;
	struct err err;
	size_t n;

	if (timers_of(&a->k->t, 0, &a->k->scratch, &all, &n, tell, a, &err))
		timer_rows(a, all, n);
	else
		tell(&err, a);
}

static void ask_hrtimers(struct answer *a)
{
	const struct ktimer *all;
	struct err err;
	size_t n;

	if (hrtimers_of(&a->k->t, 0, &a->k->scratch, &all, &n, tell, a, &err))
		timer_rows(a, all, n);
	else
		tell(&err, a);
}

static bool work_row(const struct queued_work *w, void *arg)
{
	struct answer *a = arg;

	buf_printf(&a->rows, "%s %llx %llx %s %llx %d %llx\n", w->state, (ull)w->addr,
		   (ull)w->function, w->queue, (ull)w->pool, w->cpu, (ull)w->worker);
	return true;
}

static bool queue_row(const struct workqueue *q, void *arg)
{
	struct answer *a = arg;

	buf_printf(&a->rows, "%s %llx %zu %zu %zu\n", q->name, (ull)q->flags, q->running,
		   q->pending, q->inactive);
	return true;
}

static void ask_work(struct answer *a)
{
	struct err err;

	ended(a, workqueues(&a->k->t, &a->k->scratch, work_row, queue_row, tell, a, &err), &err);
}

static void ask_runq(struct answer *a)
{
	struct runq q;
	struct err err;

	if (!runq_of(&a->k->t, 0, &a->k->scratch, &q, tell, a, &err)) {
		tell(&err, a);
		return;
	}
	buf_printf(&a->rows, "%llx %llx %llu:", (ull)q.addr, (ull)q.curr, (ull)q.running);
	for (size_t i = 0; i < q.n_dl; i++)
		buf_printf(&a->rows, " dl %llx", (ull)q.dl[i]);
	for (size_t i = 0; i < q.n_rt; i++)
		buf_printf(&a->rows, " rt %llx", (ull)q.rt[i]);
	for (size_t i = 0; i < q.n_cfs; i++)
		buf_printf(&a->rows, " cfs %llx", (ull)q.cfs[i]);
}

static bool zone_row(const struct zone *z, void *arg)
{
	struct answer *a = arg;

	buf_printf(&a->rows, "%u.%u %s %llu %llu %llu %llu %llu %llu %llu %llu:", z->node, z->index,
		   z->name, (ull)z->start, (ull)z->spanned, (ull)z->present, (ull)z->managed,
		   (ull)z->free, (ull)z->min, (ull)z->low, (ull)z->high);
	for (unsigned i = 0; i < z->orders; i++)
		buf_printf(&a->rows, " %llu", (ull)z->areas[i]);
	buf_char(&a->rows, '\n');
	return true;
}

static void ask_zones(struct answer *a)
{
	struct err err;

	ended(a, zones_each(&a->k->t, zone_row, tell, a, &err), &err);
}

static void ask_vmalloc(struct answer *a)
{
	const struct vmalloc_area *all;
	struct err why = { 0 }, err;
	size_t n;

	if (!vmalloc_areas(&a->k->t, &all, &n, &why, &err)) {
		tell(&err, a);
		return;
	}
	if (why.code)
		tell(&why, a);
	for (size_t i = 0; i < n; i++)
		buf_printf(&a->rows, "%llx %llx %llx %llx %llx %llu %llx\n", (ull)all[i].start,
			   (ull)all[i].end, (ull)all[i].vm, (ull)all[i].flags, (ull)all[i].caller,
			   (ull)all[i].pages, (ull)all[i].phys);
}

static bool probe_row(const struct kprobe *p, void *arg)
{
	struct answer *a = arg;

	buf_printf(&a->rows, "%llx %llx %d%d%d%d%d %llu %llu %llx %s %llu\n", (ull)p->addr,
		   (ull)p->at, p->returns, p->gone, p->disabled, p->optimized, p->ftrace,
		   (ull)p->missed, (ull)p->max_active, (ull)p->handler, p->event ? p->event : "-",
		   p->has_hits ? (ull)p->hits : 0);
	return true;
}

static void ask_probes(struct answer *a)
{
	struct err err;

	ended(a, kprobes_each(&a->k->t, probe_row, tell, a, &err), &err);
}

static bool hook_row(const struct ftrace_hook *h, void *arg)
{
	struct answer *a = arg;

	buf_printf(&a->rows, "%llx %llx %llx %llx %llu %llu\n", (ull)h->addr, (ull)h->func,
		   (ull)h->trampoline, (ull)h->flags, (ull)h->n_filter, (ull)h->n_notrace);
	return true;
}

static void ask_hooks(struct answer *a)
{
	struct err err;

	ended(a, ftrace_hooks_each(&a->k->t, hook_row, a, &err), &err);
}

static bool site_row(const struct ftrace_site *s, void *arg)
{
	struct answer *a = arg;

	buf_printf(&a->rows, "%llx %llu %d%d%d%d%d\n", (ull)s->ip, (ull)s->callers, s->regs,
		   s->ip_modify, s->direct, s->call_ops, s->modified);
	return true;
}

static void ask_sites(struct answer *a)
{
	struct err err;

	ended(a, ftrace_sites_each(&a->k->t, site_row, a, &err), &err);
}

/* ---- files' and the net's */

static bool file_row(const struct vfs_open *f, void *arg)
{
	struct answer *a = arg;

	buf_printf(&a->rows, "%u %llx %llx %llx %s %s\n", f->fd, (ull)f->file, (ull)f->dentry,
		   (ull)f->inode, f->type, f->path ? f->path : "-");
	return true;
}

static void ask_files(struct answer *a)
{
	struct err err;

	ended(a, vfs_files(&a->k->t, F_AT(F_TASK), &a->k->scratch, file_row, tell, a, &err), &err);
}

static bool mount_row(const struct vfs_mount *m, void *arg)
{
	struct answer *a = arg;

	buf_printf(&a->rows, "%llx %llx %s %s %s %llx %d\n", (ull)m->addr, (ull)m->sb, m->type,
		   m->device, m->path, (ull)m->flags, m->read_only);
	return true;
}

static void ask_mounts(struct answer *a)
{
	struct err err;

	ended(a, vfs_mounts(&a->k->t, F_AT(F_TASK), &a->k->scratch, mount_row, tell, a, &err),
	      &err);
}

static void ask_places(struct answer *a)
{
	const char *root, *cwd;
	struct err err;

	if (vfs_places(&a->k->t, F_AT(F_TASK), &a->k->scratch, &root, &cwd, &err))
		buf_printf(&a->rows, "%s %s", root, cwd);
	else
		tell(&err, a);
}

static bool area_row(const struct vma *v, void *arg)
{
	struct answer *a = arg;

	buf_printf(&a->rows, "%llx %llx %llx %llx %s %llx %s\n", (ull)v->start, (ull)v->end,
		   (ull)v->flags, (ull)v->offset, v->perms, (ull)v->file, v->name ? v->name : "-");
	return true;
}

static void ask_areas(struct answer *a)
{
	struct err err;

	ended(a, vma_each(&a->k->t, F_AT(F_MM), &a->k->scratch, area_row, tell, a, &err), &err);
}

static bool device_row(const struct net_device *d, void *arg)
{
	struct answer *a = arg;

	buf_printf(&a->rows, "%s %llu %llu %llx", d->name, (ull)d->index, (ull)d->mtu,
		   (ull)d->flags);
	for (size_t i = 0; i < d->n_addresses; i++)
		buf_printf(&a->rows, " %s", d->addresses[i]);
	buf_char(&a->rows, '\n');
	return true;
}

static void ask_net(struct answer *a)
{
	struct err err;

	ended(a, net_devices(&a->k->t, 0, &a->k->scratch, device_row, tell, a, &err), &err);
}

static void ask_sockets(struct answer *a)
{
	static const int files[] = { F_SOCKFILE, F_INETFILE, F_INET6FILE, F_HIDDENFILE };
	struct net_socket s;
	struct err err;

	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		if (net_socket(&a->k->t, F_AT(files[i]), &a->k->scratch, &s, &err))
			buf_printf(&a->rows, "%s %s %s %llx %s %s\n", s.family, s.type,
				   s.state ? s.state : "-", (ull)s.net, s.source ? s.source : "-",
				   s.destination ? s.destination : "-");
		else
			tell(&err, a);
}

static bool ipc_row(const struct ipc_object *o, void *arg)
{
	struct answer *a = arg;

	buf_printf(&a->rows, "%d %d %llu %llu %llo %d %d %llu %llu\n", o->id, o->key, (ull)o->uid,
		   (ull)o->gid, (ull)o->mode, o->creator, o->last, (ull)o->bytes, (ull)o->count);
	return true;
}

static void ask_ipc(struct answer *a)
{
	struct err err;

	ended(a, ipc_each(&a->k->t, F_AT(F_TASK), IPC_MEMORY, ipc_row, tell, a, &err), &err);
}

static bool swap_row(const struct swap_area *s, void *arg)
{
	struct answer *a = arg;

	buf_printf(&a->rows, "%u %s %d %llu %llu %d\n", s->type, s->path, s->partition,
		   (ull)s->size, (ull)s->used, s->priority);
	return true;
}

static void ask_swap(struct answer *a)
{
	struct err err;

	ended(a, swap_areas(&a->k->t, &a->k->scratch, swap_row, tell, a, &err), &err);
}

static bool superblock_row(const struct superblock *s, void *arg)
{
	struct answer *a = arg;

	buf_printf(&a->rows, "%llx %llx %s %s %llx %s %d\n", (ull)s->addr, (ull)s->root, s->type,
		   s->id, (ull)s->mount, s->path ? s->path : "-", s->read_only);
	return true;
}

static void ask_superblocks(struct answer *a)
{
	struct err err;

	ended(a, superblocks_each(&a->k->t, &a->k->scratch, superblock_row, tell, a, &err), &err);
}

static bool dentry_row(const struct vfs_dentry *d, void *arg)
{
	struct answer *a = arg;

	buf_printf(&a->rows, "%llx %llx %llx %d %s\n", (ull)d->addr, (ull)d->parent, (ull)d->inode,
		   d->deleted, d->name);
	return true;
}

static void ask_dentries(struct answer *a)
{
	struct err err;

	ended(a, dentries_each(&a->k->t, F_AT(F_ETC2), &a->k->scratch, dentry_row, tell, a, &err),
	      &err);
}

static void ask_inode(struct answer *a)
{
	struct vfs_inode i;
	const char *path;
	struct err err;

	if (inode_read(&a->k->t, F_AT(F_PASSWD_INODE), &i, &err) &&
	    inode_path(&a->k->t, &i, F_AT(F_MOUNT2), &a->k->scratch, &path, &err))
		buf_printf(&a->rows, "%llx %llu %s %llu %llu %llu %llx %s", (ull)i.sb,
			   (ull)i.number, i.type, (ull)i.size, (ull)i.links, (ull)i.uses,
			   (ull)i.dentry, path ? path : "-");
	else
		tell(&err, a);
}

static void ask_lookup(struct answer *a)
{
	struct vfs_place p;
	struct err err;

	if (vfs_lookup(&a->k->t, F_AT(F_TASK), "/etc/link", &a->k->scratch, &p, &err))
		buf_printf(&a->rows, "%llx %llx", (ull)p.mount, (ull)p.dentry);
	else
		tell(&err, a);
}

/* ---- tables' */

static void hist_init(struct fake_kernel *k)
{
	hist_fake_types(k);
	hist_fake_table(k);
	hist_fake_entry(k, 1, 42, 3, 100);
	hist_fake_entry(k, 5, -1, 2, 100);
}

static void ask_hist(struct answer *a)
{
	struct hist_table h = { 0 };
	struct hist_spec spec;
	struct err err;

	if (!hist_read(&a->k->t, HIST_DATA, &h, tell, a, &err) ||
	    !hist_spec_read(&a->k->t, HIST_DATA, &spec, &err)) {
		tell(&err, a);
		return;
	}
	buf_printf(&a->rows, "%s %llu %llu\n", hist_spec_text(&a->k->t, &spec, NULL), (ull)h.hits,
		   (ull)h.drops);
	for (size_t i = 0; i < h.n_entries; i++)
		buf_printf(&a->rows, "%s %llx %llu %llu\n", h.entries[i].keys[0].name,
			   (ull)h.entries[i].keys[0].num, (ull)h.entries[i].vals[0].num,
			   (ull)h.entries[i].vals[1].num);
}

static void bpf_init(struct fake_kernel *k)
{
	bpf_fake_types(k);
	bpf_fake_hash(k);
}

static bool element_row(const struct bpf_element *e, void *arg)
{
	struct answer *a = arg;

	buf_printf(&a->rows, "%llx %x %llx %x\n", (ull)e->key_addr, e->key[0], (ull)e->value_addr,
		   e->value[0]);
	return true;
}

static void ask_bpf(struct answer *a)
{
	const struct bpf_map m = bpf_fake_map("hash");
	struct err err;

	ended(a, bpf_elements_each(&a->k->t, &m, element_row, tell, a, &err), &err);
}

/* ---- each question with each member gone */

struct question {
	const char *name;
	void (*ask)(struct answer *a);
	/* members that a sound kernel may lack, and what takes their place is another answer */
	const char *may_lack[4];
	/* places of pointers that may lead nowhere without a word */
	uint64_t may_lose[4];
};

/* The n-th member of all types, and of the structs in them; NULL: there are no more. */
static const char **member_at(struct fake_kernel *k, size_t n)
{
	for (size_t i = 0; i < k->n_types; i++)
		for (size_t m = 0; m < k->types[i]->n_members; m++) {
			struct member *outer = &k->types[i]->members[m];
			const struct type *in = outer->type;

			if (!n--)
				return &outer->name;
			if (in->kind != TYPE_STRUCT || *in->name)
				continue;
			for (size_t j = 0; j < in->n_members; j++)
				if (!n--)
					return &in->members[j].name;
		}
	return NULL;
}

#define WILD (KERNEL_BASE + KERNEL_SIZE)

/* Makes the n-th word that points into memory point behind it; where it is, 0: there are no more.
 * The lowest bits say what a pointer is to. */
static uint64_t pointer_lose(struct fake_kernel *k, size_t n)
{
	for (uint64_t at = KERNEL_BASE; at < KERNEL_BASE + KERNEL_SIZE; at += 8) {
		uint64_t word = load_le64(&k->mem[at - KERNEL_BASE]);

		if (word >= KERNEL_BASE && word < KERNEL_BASE + KERNEL_SIZE && !n--) {
			put64(k, at, WILD | (word & 7));
			return at;
		}
	}
	return 0;
}

static void ask(const struct question *q, struct answer *a)
{
	q->ask(a);
	for (size_t i = 0; i < a->k->t.warnings.n; i++)
		buf_printf(&a->told, "%s; ", a->k->t.warnings.p[i].text);
}

static void make(void (*init)(struct fake_kernel *k), struct answer *a)
{
	*a = (struct answer){ .k = xrealloc(NULL, sizeof(*a->k)) };
	init(a->k);
}

static void done(struct answer *a)
{
	buf_release(&a->rows);
	buf_release(&a->told);
	kernel_release(a->k);
	free(a->k);
}

static bool may_lack(const struct question *q, const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(q->may_lack) && q->may_lack[i]; i++)
		if (!strcmp(q->may_lack[i], name))
			return true;
	return false;
}

static bool is_as(const struct answer *a, const struct answer *whole)
{
	return !a->told.n && !strcmp(buf_text(&a->rows), buf_text(&whole->rows));
}

static void check_members(void (*init)(struct fake_kernel *k), const struct question *q,
			  const struct answer *whole)
{
	struct answer a;
	const char **member;

	for (size_t n = 0;; n++) {
		const char *name;

		make(init, &a);
		member = member_at(a.k, n);
		if (!member)
			break;
		name = *member;
		*member = "gone";
		ask(q, &a);
		if (!is_as(&a, whole) && !may_lack(q, name) &&
		    !CHECK(strstr(buf_text(&a.told), name) != NULL))
			printf("  %s without '%s': told \"%s\"\n%s", q->name, name,
			       buf_text(&a.told), buf_text(&a.rows));
		done(&a);
	}
	done(&a);
}

static bool may_lose(const struct question *q, uint64_t at)
{
	for (size_t i = 0; i < ARRAY_SIZE(q->may_lose); i++)
		if (q->may_lose[i] == at)
			return true;
	return false;
}

/* The pointer itself, or what stands where something cannot be read. */
static bool is_said(const struct answer *a)
{
	const char *rows = buf_text(&a->rows);

	return strstr(rows, "ffff80000004000") || strstr(rows, "...") || strchr(rows, '?');
}

static void check_pointers(void (*init)(struct fake_kernel *k), const struct question *q,
			   const struct answer *whole)
{
	struct answer a;
	uint64_t at;

	for (size_t n = 0;; n++) {
		make(init, &a);
		at = pointer_lose(a.k, n);
		if (!at)
			break;
		ask(q, &a);
		if (!is_as(&a, whole) && !may_lose(q, at) && !CHECK(a.told.n || is_said(&a)))
			printf("  %s without the pointer at 0x%llx\n%s", q->name, (ull)at,
			       buf_text(&a.rows));
		done(&a);
	}
	done(&a);
}

static void check(void (*init)(struct fake_kernel *k), const struct question *q)
{
	struct answer whole;

	make(init, &whole);
	ask(q, &whole);
	CHECK_STR(buf_text(&whole.told), "");
	CHECK(whole.rows.n > 0);
	check_members(init, q, &whole);
	check_pointers(init, q, &whole);
	done(&whole);
}

TEST(the_machine_with_a_member_gone)
{
	static const struct question questions[] = {
		/* kernels of one CPU have no affinity */
		{ .name = "irq", .ask = ask_irqs, .may_lack = { "irq_common_data", "affinity" } },
		{ .name = "timers", .ask = ask_timers },
		{ .name = "hrtimers", .ask = ask_hrtimers },
		/* what is told names "delayed_works", which it was until f97a4a1a3f87 (v5.15) */
		{ .name = "work",
		  .ask = ask_work,
		  .may_lack = { "inactive_works" },
		  /* which queue a work is of: one of another is not this one's */
		  .may_lose = { M_AT(M_WORKER) + 32, M_AT(M_WORK_PENDING) } },
		{ .name = "runq", .ask = ask_runq },
		{ .name = "zones", .ask = ask_zones },
		{ .name = "vmalloc", .ask = ask_vmalloc },
		{ .name = "kprobes", .ask = ask_probes },
		/* CONFIG_DYNAMIC_FTRACE */
		{ .name = "hooks", .ask = ask_hooks, .may_lack = { "func_hash" } },
		{ .name = "sites", .ask = ask_sites },
	};

	for (size_t i = 0; i < ARRAY_SIZE(questions); i++)
		check(machine_fake_init, &questions[i]);
}

/* mnt_root: a path that never comes to it ends where the file system does, as d_path()'s would. */
#define ROOT_OF_MOUNT (F_AT(F_MOUNT2) + 32)

static void newer_init(struct fake_kernel *k)
{
	machine_fake_init(k);
	machine_fake_newer(k);
}

static void newer_files_init(struct fake_kernel *k)
{
	vfs_fake_init(k);
	vfs_fake_newer(k);
}

TEST(newer_kernels_with_a_member_gone)
{
	static const struct question questions[] = {
		{ .name = "irq", .ask = ask_irqs, .may_lack = { "irq_common_data", "affinity" } },
		{ .name = "vmalloc", .ask = ask_vmalloc },
		{ .name = "kprobes", .ask = ask_probes },
	};
	/* this one has both: the list of older kernels is empty */
	static const struct question areas = { .name = "areas",
					       .ask = ask_areas,
					       .may_lack = { "mm_mt" },
					       .may_lose = { ROOT_OF_MOUNT } };

	for (size_t i = 0; i < ARRAY_SIZE(questions); i++)
		check(newer_init, &questions[i]);
	check(newer_files_init, &areas);
}

TEST(tables_with_a_member_gone)
{
	static const struct question hist = { .name = "hist", .ask = ask_hist };
	static const struct question bpf = { .name = "bpf", .ask = ask_bpf };

	check(hist_init, &hist);
	check(bpf_init, &bpf);
}

TEST(files_and_nets_with_a_member_gone)
{
	static const struct question questions[] = {
		{ .name = "files", .ask = ask_files, .may_lose = { ROOT_OF_MOUNT } },
		/* what is told names "mounts", the tree that 2eea9ce4310d (v6.8) made of it */
		{ .name = "mounts", .ask = ask_mounts, .may_lack = { "list" } },
		{ .name = "places", .ask = ask_places },
		{ .name = "areas", .ask = ask_areas, .may_lose = { ROOT_OF_MOUNT } },
		/* CONFIG_IPV6, CONFIG_NET_NS */
		{ .name = "net", .ask = ask_net, .may_lack = { "ip6_ptr" } },
		{ .name = "sockets", .ask = ask_sockets, .may_lack = { "skc_net", "net" } },
		{ .name = "superblocks", .ask = ask_superblocks },
		{ .name = "dentries", .ask = ask_dentries },
		{ .name = "inode", .ask = ask_inode, .may_lose = { ROOT_OF_MOUNT } },
		{ .name = "lookup", .ask = ask_lookup },
		{ .name = "ipc", .ask = ask_ipc },
		{ .name = "swap", .ask = ask_swap, .may_lose = { ROOT_OF_MOUNT } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(questions); i++)
		check(vfs_fake_init, &questions[i]);
}
TEST_MAIN
