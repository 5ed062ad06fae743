/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Types of global variables: what debug info says, else a table of those every kernel has. */
#include <string.h>

#include "core/base/buf.h"
#include "core/image/target.h"
#include "core/image/type.h"

/* BTF tells of no variables but per-CPU ones (until pahole 1.28 can), and where an older pahole
 * wrote it, as in Debian's 5.10, of none at all, so these stand in. */
struct known_variable {
	const char *name, *type;
};
static const struct known_variable known[] = {
	{ "__cpu_active_mask", "struct cpumask" },
	{ "__cpu_online_mask", "struct cpumask" },
	{ "__cpu_possible_mask", "struct cpumask" },
	{ "__cpu_present_mask", "struct cpumask" },
	{ "__per_cpu_offset", "unsigned long []" },
	{ "avenrun", "unsigned long [3]" },
	{ "boot_command_line", "char []" },
	{ "boot_cpu_data", "struct cpuinfo_x86" },
	{ "cgroup_roots", "struct list_head" },
	{ "contig_page_data", "struct pglist_data" },
	{ "crash_kexec_post_notifiers", "bool" },
	{ "crash_notes", "note_buf_t *" },
	{ "crashing_cpu", "int" },
	{ "default_hugepagesz", "unsigned long" },
	{ "file_systems", "struct file_system_type *" },
	{ "ftrace_trace_arrays", "struct list_head" },
	{ "global_trace", "struct trace_array" },
	{ "high_memory", "void *" },
	{ "hrtimer_bases", "struct hrtimer_cpu_base" },
	{ "init_cred", "struct cred" },
	{ "init_files", "struct files_struct" },
	{ "init_fs", "struct fs_struct" },
	{ "init_mm", "struct mm_struct" },
	{ "init_net", "struct net" },
	{ "init_nsproxy", "struct nsproxy" },
	{ "init_pid_ns", "struct pid_namespace" },
	{ "init_task", "struct task_struct" },
	{ "init_user_ns", "struct user_namespace" },
	{ "init_uts_ns", "struct uts_namespace" },
	{ "iomem_resource", "struct resource" },
	{ "ioport_resource", "struct resource" },
	{ "jiffies", "unsigned long" },
	{ "jiffies_64", "u64" },
	{ "kernel_cpustat", "struct kernel_cpustat" },
	{ "kstat", "struct kernel_stat" },
	{ "linux_banner", "char []" },
	{ "linux_proc_banner", "char []" },
	{ "log_buf", "char *" },
	{ "log_buf_len", "u32" },
	{ "max_pfn", "unsigned long" },
	{ "mem_section", "struct mem_section **" },
	{ "memblock", "struct memblock" },
	{ "modules", "struct list_head" },
	{ "mount_hashtable", "struct hlist_head *" },
	{ "net_namespace_list", "struct list_head" },
	{ "node_data", "struct pglist_data *[]" },
	{ "nr_cpu_ids", "unsigned int" },
	{ "nr_threads", "int" },
	{ "of_root", "struct device_node *" },
	{ "oops_in_progress", "int" },
	{ "page_offset_base", "unsigned long" },
	{ "panic_cpu", "atomic_t" },
	{ "panic_on_oops", "int" },
	{ "panic_timeout", "int" },
	{ "phys_base", "unsigned long" },
	{ "pgdir_shift", "unsigned int" },
	{ "prb", "struct printk_ringbuffer *" },
	{ "printk_rb_static", "struct printk_ringbuffer" },
	{ "process_counts", "unsigned long" },
	{ "rcu_data", "struct rcu_data" },
	{ "runqueues", "struct rq" },
	{ "saved_command_line", "char *" },
	{ "slab_caches", "struct list_head" },
	{ "softnet_data", "struct softnet_data" },
	{ "super_blocks", "struct list_head" },
	{ "system_state", "enum system_states" },
	{ "tainted_mask", "unsigned long" },
	{ "total_forks", "unsigned long" },
	{ "vm_event_states", "struct vm_event_state" },
	{ "vm_node_stat", "atomic_long_t []" },
	{ "vm_zone_stat", "atomic_long_t []" },
	{ "vmalloc_base", "unsigned long" },
	{ "vmap_area_list", "struct list_head" },
	{ "vmemmap_base", "unsigned long" },
	{ "workqueues", "struct list_head" },
};

static bool known_type(struct target *t, const char *name, const struct type **ret, struct err *err)
{
	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (strcmp(known[i].name, name) == 0)
			return type_find(t, known[i].type, ret, err);
	return err_set(err, ERR_NOTYPE,
		       "the type of '%s' is not known: BTF tells of none, and the "
		       "vmlinux with debug info is not loaded",
		       name);
}

/* A declaration "x[]" leaves the length to the definition; the symbol knows it. */
static const struct type *with_length(struct target *t, const struct symbol *sym,
				      const struct type *type)
{
	const struct type *in = type_strip(type), *elem;

	if (in->kind != TYPE_ARRAY || in->count || !sym->size)
		return type;
	elem = type_target(in);
	if (!elem->size || sym->size % elem->size)
		return type;
	return type_array_of(t, elem, sym->size / elem->size);
}

bool type_of_symbol(struct target *t, const struct symbol *sym, const struct type **ret,
		    struct err *err)
{
	/* per-CPU and absolute symbols are no addresses: KASLR did not move them */
	bool moved = !t->arch || t->arch->is_kernel_va(sym->addr);
	uint64_t addr = moved ? sym->addr - t->kaslr : sym->addr;
	struct err why = { 0 };

	if (sym->module) {
		if (!module_variable(t, sym, ret, err))
			return false;
		*ret = with_length(t, sym, *ret);
		return true;
	}
	for (size_t i = 0; i < t->types.sources.n; i++) {
		struct type_source *s = t->types.sources.p[i];

		if (s->variable && s->variable(s, sym->name, addr, ret, &why)) {
			*ret = with_length(t, sym, *ret);
			return true;
		}
		if (why.code == ERR_INTR) {
			*err = why;
			return false;
		}
	}
	if (!known_type(t, sym->name, ret, err))
		return false;
	*ret = with_length(t, sym, *ret);
	return true;
}

/* ---- by file */

#define NAMESAKES_MAX 200u
#define FILES_TOLD 4u

/* The variables of one name. */
struct namesakes {
	struct target *t;
	struct symbol first; /* what is sought is it, or has files[0] */
	const char *file;    /* that is sought; NULL: any */
	size_t n, files, hits;
	struct symbol hit;
	struct buf all, fit; /* files */
	struct err err;
};

static bool file_of(struct target *t, const struct symbol *sym, const char **ret, struct err *err)
{
	bool moved = !t->arch || t->arch->is_kernel_va(sym->addr);

	for (size_t i = 0; i < t->types.sources.n; i++) {
		struct type_source *s = t->types.sources.p[i];

		if (s->file && !s->partial)
			return s->file(s, moved ? sym->addr - t->kaslr : sym->addr, ret, err);
	}
	return err_set(err, ERR_NEED,
		       "the vmlinux with debug info is not loaded, which knows files");
}

static bool is_end_of(const char *path, const char *end)
{
	size_t n = strlen(path), m = strlen(end);

	return m <= n && !strcmp(path + n - m, end) && (m == n || path[n - m - 1] == '/');
}

/* The n-th; a message has no room for a hundred. */
static void add_file(struct buf *b, size_t n, const char *path)
{
	if (n < FILES_TOLD)
		buf_printf(b, "%s'%s'", b->n ? ", " : "", path);
	else if (n == FILES_TOLD)
		buf_str(b, " and others");
}

static bool see_namesake(const struct symbol *sym, uint64_t room, void *arg)
{
	struct namesakes *x = arg;
	const char *path;
	struct err why;

	(void)room;
	if (++x->n > NAMESAKES_MAX)
		return false;
	if (!file_of(x->t, sym, &path, &why)) {
		if (why.code != ERR_NOTYPE)
			x->err = why;
		return why.code == ERR_NOTYPE;
	}
	add_file(&x->all, x->files++, path);
	if (x->file && is_end_of(path, x->file)) {
		x->hit = *sym;
		add_file(&x->fit, x->hits++, path);
	}
	return true;
}

bool variable_of_file(struct target *t, const char *file, const char *name, struct symbol *ret,
		      struct err *err)
{
	struct namesakes x = { .t = t, .file = file, .all = { .max = 300 }, .fit = { .max = 300 } };
	bool ok = symbol_each_named(t, name, NULL, see_namesake, &x, err);

	if (ok && x.err.code) {
		*err = x.err;
		ok = false;
	} else if (ok && x.hits != 1) {
		ok = err_set(err, ERR_NOSYM,
			     x.hits    ? "'%.60s' is of several files: %s"
			     : x.all.n ? "'%.60s' is of %s"
				       : "no variable '%.60s' is of a source file",
			     name, x.hits ? buf_text(&x.fit) : buf_text(&x.all));
	}
	*ret = x.hit;
	buf_release(&x.all);
	buf_release(&x.fit);
	return ok;
}

static bool count_namesake(const struct symbol *sym, uint64_t room, void *arg)
{
	struct namesakes *x = arg;

	(void)room;
	x->n += strchr("dDbBrR", sym->type) != NULL;
	return x->n < 2;
}

static bool see_other(const struct symbol *sym, uint64_t room, void *arg)
{
	struct namesakes *x = arg;

	return sym->addr == x->first.addr || see_namesake(sym, room, arg);
}

const char *variable_files(struct target *t, const struct symbol *sym, struct arena *a)
{
	struct namesakes x = { .t = t, .first = *sym, .all = { .max = 600 } };
	const char *ret = NULL, *path;
	struct err ignored;

	/* most names are unique, and then no debug info is read */
	if (sym->module || !symbol_each_named(t, sym->name, NULL, count_namesake, &x, &ignored) ||
	    x.n < 2 || !file_of(t, sym, &path, &ignored))
		return NULL;
	add_file(&x.all, x.files++, path);
	x.n = 0;
	if (symbol_each_named(t, sym->name, NULL, see_other, &x, &ignored) && !x.err.code)
		ret = arena_strndup(a, buf_text(&x.all), x.all.n);
	buf_release(&x.all);
	return ret;
}

bool variable_place(struct target *t, const char *section, const char *name,
		    struct variable_place *ret)
{
	for (size_t i = 0; i < t->types.sources.n; i++) {
		struct type_source *s = t->types.sources.p[i];

		if (!s->partial && s->placed && s->placed(s, section, name, ret))
			return true;
	}
	return false;
}
