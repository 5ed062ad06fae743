/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory that ran out: who has it. Who asked last, and whom the kernel killed, need not be to
 * blame. */
#include "core/verdict/oom.h"

#include <inttypes.h>
#include <string.h>

#include "core/base/number.h"
#include "core/linux/memory/slab.h"
#include "core/linux/task/task.h"
#include "core/verdict/log_words.h"

uint64_t meminfo_line(const struct meminfo *m, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(m[i].name, name))
			return m[i].kb;
	return 0;
}

/* ---- by the kernel's counters */

struct user {
	const char *what;
	uint64_t kb;
	bool programs; /* it is memory of processes, of which one may have most */
	bool slabs;
};

static uint64_t less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

/* What has the most, in words. */
static struct user biggest(const struct meminfo *m, size_t n, uint64_t total_kb)
{
	uint64_t shmem = meminfo_line(m, n, "Shmem");
	const struct user users[] = {
		{ "slabs that cannot be reclaimed", meminfo_line(m, n, "SUnreclaim"), false, true },
		{ "programs' own memory", meminfo_line(m, n, "AnonPages"), true, false },
		{ "the page cache", less(meminfo_line(m, n, "Cached"), shmem), false, false },
		{ "shared memory and tmpfs", shmem, false, false },
		{ "page tables", meminfo_line(m, n, "PageTables"), false, false },
		{ "kernel stacks", meminfo_line(m, n, "KernelStack"), false, false },
		{ "vmalloc", meminfo_line(m, n, "VmallocUsed"), false, false },
		{ "huge pages that were set aside", meminfo_line(m, n, "Hugetlb"), false, false },
	};
	uint64_t known = meminfo_line(m, n, "MemFree") + meminfo_line(m, n, "SReclaimable") +
			 meminfo_line(m, n, "Buffers") + meminfo_line(m, n, "Percpu");
	struct user most = { .kb = 0 };

	for (size_t i = 0; i < ARRAY_SIZE(users); i++) {
		known += users[i].kb;
		if (users[i].kb > most.kb)
			most = users[i];
	}
	if (less(total_kb, known) > most.kb)
		most = (struct user){ "what no counter tells", total_kb - known, false, false };
	return most;
}

const char *memory_user(struct triage *g, const struct meminfo *m, size_t n, uint64_t total_kb)
{
	struct user most = biggest(m, n, total_kb);

	return arena_printf(g->a, "%" PRIu64 " %% of RAM is in %s",
			    total_kb ? most.kb * 100 / total_kb : 0, most.what);
}

static const struct task *largest_task(struct triage *g, uint64_t *rss)
{
	const struct task *tasks, *most = NULL;
	struct err ignored;
	size_t n;

	*rss = 0;
	if (!tasks_all(g->t, &tasks, &n, &ignored))
		return NULL;
	for (size_t i = 0; i < n; i++) {
		uint64_t vsz, own;

		if (task_memory(g->t, &tasks[i], &vsz, &own) && own > *rss) {
			*rss = own;
			most = &tasks[i];
		}
	}
	return most;
}

struct caches {
	const char *name;
	uint64_t pages;
};

static bool cache_see(const struct slab_cache *cache, void *arg)
{
	struct caches *c = arg;

	if (cache->has_counts && cache->order < 32 && cache->slabs << cache->order > c->pages) {
		c->pages = cache->slabs << cache->order;
		c->name = cache->name;
	}
	return true;
}

/* "; most of them of kmalloc-256, 52 MB" */
static const char *slab_words(struct triage *g)
{
	struct caches c = { .name = NULL };
	struct err ignored;

	if (!slab_caches(g->t, cache_see, &c, &ignored) || !c.name)
		return "";
	return arena_printf(g->a, ", of which the cache %s has %" PRIu64 " MB", c.name,
			    c.pages * g->t->page_size >> 20);
}

static void blame_task(struct claim *c, const struct task *task)
{
	c->pid = task->pid;
	c->comm = task->comm;
}

/* The asker is told where it is not who has the memory. */
static const char *asker_words(struct triage *g, const struct claim *c)
{
	const struct death *d = &g->death;

	if (d->way != WAY_OOM || !d->comm || d->pid < 0 || d->pid == c->pid)
		return "";
	return arena_printf(g->a, "; %s only asked last", who(g, d->comm, d->pid));
}

struct claim *claim_of_counters(struct triage *g, const struct meminfo *m, size_t n,
				uint64_t total_kb, const char *where)
{
	struct claim *c = claim_new(g, "oom", SURE_LIKELY,
				    "the counters of memory; nothing records who allocated it");
	struct user most = biggest(m, n, total_kb);
	uint64_t rss, share = total_kb ? most.kb * 100 / total_kb : 0;
	const struct task *task = largest_task(g, &rss);

	if (most.programs && task && rss >> 10 >= most.kb / 2) {
		blame_task(c, task);
		c->sentence = arena_printf(
			g->a, "memory ran out%s: %s has %" PRIu64 " of %" PRIu64 " MB", where,
			who(g, task->comm, task->pid), rss >> 20, total_kb >> 10);
	} else {
		c->sentence = arena_printf(
			g->a, "memory ran out%s: %" PRIu64 " %% of %" PRIu64 " MB are in %s%s%s",
			where, share, total_kb >> 10, most.what, most.slabs ? slab_words(g) : "",
			!task || task->pid == g->death.pid
				? ""
				: arena_printf(g->a,
					       "; the largest process is %s with %" PRIu64 " MB",
					       who(g, task->comm, task->pid), rss >> 20));
	}
	c->sentence = arena_printf(g->a, "%s%s", c->sentence, asker_words(g, c));
	for (size_t i = 0; i < n; i++)
		if (m[i].kb * 10 > total_kb && strncmp(m[i].name, "Mem", 3) != 0 &&
		    strncmp(m[i].name, "Commit", 6) != 0)
			claim_support(g, c, "counters", "%s %" PRIu64 " kB", m[i].name, m[i].kb);
	return c;
}

/* ---- by the table of tasks that the kernel prints */

struct table {
	uint64_t rss, ram; /* pages */
	int pid;
	const char *comm, *source;
};

static bool number(const char **p, const char *end, uint64_t *ret)
{
	while (*p < end && **p == ' ')
		++*p;
	return number_take(p, end, 10, ret);
}

/* "[    140]     0   140    15913    15488 ... 0 third": mm/oom_kill.c, dump_task(). Of the row
 * that begins at *p the first and the fifth number are read, which are a process and how many pages
 * it has; *p becomes where the numbers end. */
static bool row_numbers(const char **p, const char *end, uint64_t *pid, uint64_t *rss)
{
	uint64_t uid, tgid, vm;

	++*p;
	return number(p, end, pid) && *p < end && *(*p)++ == ']' && number(p, end, &uid) &&
	       number(p, end, &tgid) && number(p, end, &vm) && number(p, end, rss);
}

/* Where the name begins behind the numbers of a row, of which some kernels have more than others. A
 * name may have blanks in it, and be a number. */
static const char *row_name(const char *p, const char *end)
{
	const char *ret = end;

	for (;;) {
		uint64_t ignored;

		while (p < end && *p == ' ')
			p++;
		if (p == end)
			return ret;
		ret = p;
		if (*p == '-') /* of oom_score_adj */
			p++;
		if (!number_take(&p, end, 10, &ignored) || (p < end && *p != ' '))
			return ret;
	}
}

/* "[  pid  ]   uid  tgid total_vm ..." */
static bool is_heading(const char *p, const char *end)
{
	static const char pids[] = "pid ";

	for (p++; p < end && *p == ' '; p++)
		;
	return (size_t)(end - p) > sizeof(pids) && !memcmp(p, pids, sizeof(pids) - 1);
}

/* Whom an earlier table names may be dead, so each begins anew at its heading. In a text other
 * brackets may stand in front: a time, who printed it, a program of a log. */
static void row_see(struct triage *g, const char *line, size_t n, const char *source, uint64_t at,
		    void *arg)
{
	static const char ram[] = " pages RAM";
	const char *p = NULL, *end = line + n, *name, *from = line;
	uint64_t pid = 0, rss;
	struct table *t = arg;

	(void)at;
	if (n > sizeof(ram) && !memcmp(end - (sizeof(ram) - 1), ram, sizeof(ram) - 1)) {
		for (name = end - (sizeof(ram) - 1); name > line && name[-1] != ' '; name--)
			;
		if (number(&name, end, &rss))
			t->ram = rss;
		return;
	}
	while ((from = memchr(from, '[', (size_t)(end - from))) != NULL) {
		if (is_heading(from, end)) {
			*t = (struct table){ .ram = t->ram, .pid = -1 };
			return;
		}
		p = from;
		if (row_numbers(&p, end, &pid, &rss))
			break;
		from++;
	}
	if (!from)
		return;
	name = row_name(p, end);
	if (rss < t->rss || name == end)
		return;
	*t = (struct table){ rss, t->ram, (int)pid, arena_strndup(g->a, name, (size_t)(end - name)),
			     source };
}

static const char *cgroup_words(struct triage *g)
{
	const struct log_seen *s = log_seen(g, WORD_CGROUP);
	static const char part[] = "stats for ";
	const char *name = s->n ? strstr(s->last, part) : NULL;

	if (!name)
		return "a cgroup";
	name += sizeof(part) - 1;
	return arena_printf(g->a, "cgroup %.*s", (int)strcspn(name, ":"), name);
}

/* What the kernel itself said when it looked for whom to kill. */
static struct claim *claim_of_table(struct triage *g, bool cgroup)
{
	struct claim *c = claim_new(g, "oom", SURE_LIKELY, "the kernel's own table of tasks");
	struct table t = { .pid = -1 };

	log_lines(g, row_see, &t);
	c->sentence =
		cgroup ? arena_printf(g->a, "%s has reached its limit of memory", cgroup_words(g))
		       : "memory ran out";
	if (t.comm) {
		/* a process that has less than a third of RAM is not why there is none left */
		if (cgroup || !t.ram || t.rss > t.ram / 3) {
			c->pid = t.pid;
			c->comm = t.comm;
		}
		c->sentence =
			arena_printf(g->a, "%s: the largest process is %s with %" PRIu64 " pages",
				     c->sentence, who(g, t.comm, t.pid), t.rss);
		claim_support(g, c, t.source, "%s, rss %" PRIu64 " pages", who(g, t.comm, t.pid),
			      t.rss);
	}
	c->sentence = arena_printf(g->a, "%s%s", c->sentence, asker_words(g, c));
	if (cgroup)
		claim_word(g, c, WORD_CGROUP);
	return c;
}

/* With panic_on_oom set, the OOM killer that somebody asks for by sysrq kills the kernel, however
 * much memory there is: drivers/tty/sysrq.c, moom_callback(). */
static struct claim *claim_of_asked(struct triage *g)
{
	struct claim *c = claim_new(g, "oom", SURE_LIKELY, "the words of the log");

	c->sentence = "the OOM killer was asked for by sysrq, and panic_on_oom is set: memory need "
		      "not have run out";
	claim_word(g, c, WORD_OOM_ASKED);
	return c;
}

struct claim *claim_of_oom(struct triage *g)
{
	/* of a cgroup panic() is called when panic_on_oom is 2: mm/oom_kill.c */
	bool cgroup = g->death.panic && strstr(g->death.panic, "compulsory") != NULL &&
		      log_seen(g, WORD_CGROUP)->n;
	struct meminfo m[MEMINFO_MAX];
	struct err ignored;
	size_t n;

	if (log_seen(g, WORD_OOM_ASKED)->n)
		return claim_of_asked(g);
	if (g->from_text || cgroup)
		return claim_of_table(g, cgroup);
	n = meminfo_read(g->t, m, &ignored);
	return claim_of_counters(g, m, n, ram_total(g->t) >> 10, "");
}
