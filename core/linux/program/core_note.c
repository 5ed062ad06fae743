/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The notes of a core file: include/linux/elfcore.h and fs/binfmt_elf.c say how they are laid out.
 */
#include <elf.h>
#include <string.h>

#include "core/linux/arch.h"
#include "core/linux/program/program_impl.h"
#include "core/linux/program/signal.h"
#include "core/types/shape.h"

#define SIGINFO_SIZE 128
#define AUXV_MAX 256u /* words */

/* Offsets in struct elf_prstatus and struct elf_prpsinfo. */
struct note_layout {
	unsigned pending, blocked, pid, utime, stime, regs;
	unsigned flags, uid, gid, process, name, words, info_size;
	unsigned id; /* bytes of a user's or a group's number */
};
static const struct note_layout layout64 = { .pending = 16,
					     .blocked = 24,
					     .pid = 32,
					     .utime = 48,
					     .stime = 64,
					     .regs = 112,
					     .flags = 8,
					     .uid = 16,
					     .gid = 20,
					     .process = 24,
					     .name = 40,
					     .words = 56,
					     .info_size = 136,
					     .id = 4 };
static const struct note_layout layout32 = { .pending = 16,
					     .blocked = 20,
					     .pid = 24,
					     .utime = 40,
					     .stime = 48,
					     .regs = 72,
					     .flags = 4,
					     .uid = 8,
					     .gid = 10,
					     .process = 12,
					     .name = 28,
					     .words = 44,
					     .info_size = 124,
					     .id = 2 };
#define INFO_SIZE_MAX 136
#define INFO_NAME 15 /* characters of a name, and of the arguments */
#define INFO_WORDS 79

struct core_noting {
	struct buf *b;
	struct user_program *p;
	void (*flaw)(const struct err *e, void *arg);
	void *arg;
};

static void tell(const struct core_noting *w, const struct err *why)
{
	if (w->flaw)
		w->flaw(why, w->arg);
}

static void put32(uint8_t *at, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		at[i] = (uint8_t)(v >> 8 * i);
}

static const struct note_layout *layout_of(const struct target *t)
{
	return t->arch->word == 4 ? &layout32 : &layout64;
}

/* A long of the machine. */
static void put_long(const struct target *t, uint8_t *at, uint64_t v)
{
	put32(at, (uint32_t)v);
	if (t->arch->word == 8)
		put32(at + 4, (uint32_t)(v >> 32));
}

static void add_long(const struct target *t, struct buf *b, uint64_t v)
{
	uint8_t bytes[8];

	put_long(t, bytes, v);
	buf_add(b, bytes, t->arch->word);
}

static void add_padded(struct buf *b, const void *p, size_t n)
{
	buf_add(b, p, n);
	buf_pad(b, 0, -n & 3);
}

static void add_note(const char *owner, uint32_t type, const void *bytes, size_t n, void *arg)
{
	struct core_noting *w = arg;
	uint8_t head[12];

	put32(head, (uint32_t)strlen(owner) + 1);
	put32(head + 4, (uint32_t)n);
	put32(head + 8, type);
	buf_add(w->b, head, sizeof(head));
	add_padded(w->b, owner, strlen(owner) + 1);
	add_padded(w->b, bytes, n);
}

/* ---- of a thread */

/* The number of a process group or session; 0: it cannot be read. */
static uint32_t group_of(struct target *t, uint64_t signal, const char *member)
{
	struct err ignored;
	uint64_t pid, nr;

	return signal && field_u64(t, "struct signal_struct", signal, member, &pid, &ignored) &&
			       pid &&
			       field_u64(t, "struct pid", pid, "numbers[0].nr", &nr, &ignored)
		       ? (uint32_t)nr
		       : 0;
}

static void put_time(const struct target *t, uint8_t *at, uint64_t ns)
{
	put_long(t, at, ns / 1000000000);
	put_long(t, at + t->arch->word, ns % 1000000000 / 1000);
}

/* pid, ppid, group and session, which stand so in both structs. */
static void put_process(struct target *t, uint8_t *at, int pid, int ppid, uint64_t signal)
{
	put32(at, (uint32_t)pid);
	put32(at + 4, (uint32_t)ppid);
	put32(at + 8, group_of(t, signal, "pids[2]"));
	put32(at + 12, group_of(t, signal, "pids[3]"));
}

static void thread_note(struct core_noting *w, const struct task *task,
			const struct program_regs *regs, const struct task_signals *s, int signo)
{
	struct target *t = w->p->t;
	const struct arch *arch = t->arch;
	const struct note_layout *l = layout_of(t);
	uint8_t *note = arena_alloc(w->p->arena, arch->prstatus_size);
	struct task_sched sched;
	struct err ignored;

	memset(note, 0, arch->prstatus_size);
	put32(note, (uint32_t)signo);
	note[12] = (uint8_t)signo;
	put_long(t, note + l->pending, s->pending);
	put_long(t, note + l->blocked, s->blocked);
	put_process(t, note + l->pid, task->pid, task->ppid, s->signal);
	if (task_sched(t, task, &sched, &ignored)) {
		put_time(t, note + l->utime, sched.utime == UINT64_MAX ? 0 : sched.utime);
		put_time(t, note + l->stime, sched.stime == UINT64_MAX ? 0 : sched.stime);
	}
	for (unsigned i = 0; i < arch->prstatus_words; i++) {
		unsigned n = arch->prstatus_order ? arch->prstatus_order[i] : i;
		uint64_t v;

		if (regs_get(&regs->regs, n, &v))
			put_long(t, note + l->regs + i * arch->word, v);
	}
	add_note("CORE", NT_PRSTATUS, note, arch->prstatus_size, w);
}

/* Adds a thread's notes; process: also those of the process, which stand behind the first one's
 * NT_PRSTATUS. False: there are none of it. */
static bool thread_notes(struct core_noting *w, const struct task *task,
			 void (*process)(struct core_noting *w, const struct task_signals *s))
{
	struct target *t = w->p->t;
	const struct linux_arch *arch = linux_arch_of(t->arch);
	struct signal_info info = { .signo = 0 };
	struct task_signals s;
	struct program_regs regs;
	struct err why;

	if (!program_regs(t, task, &regs, &why) || !task_signals(t, task, &s, &why)) {
		err_wrap(&why, "no thread %d", task->pid);
		tell(w, &why);
		return false;
	}
	if (s.last_siginfo && !signal_info_read(t, s.last_siginfo, &info, &why))
		tell(w, &why);
	thread_note(w, task, &regs, &s, info.signo > 0 && info.signo <= 64 ? info.signo : 0);
	if (process)
		process(w, &s);
	if (arch->core_notes && !arch->core_notes(t, task, add_note, w, &why)) {
		err_wrap(&why, "thread %d", task->pid);
		tell(w, &why);
	}
	return true;
}

/* ---- of the process */

/* A number of two bytes that is too large is the overflow id (fs/binfmt_elf.c). */
static void put_id(const struct note_layout *l, uint8_t *at, uint64_t v)
{
	if (l->id == 4) {
		put32(at, (uint32_t)v);
		return;
	}
	v = v > UINT16_MAX ? 65534 : v;
	at[0] = (uint8_t)v;
	at[1] = (uint8_t)(v >> 8);
}

static void info_note(struct core_noting *w, const struct task_signals *s)
{
	static const char states[] = "RSDTZW";
	const struct task *task = w->p->task;
	struct target *t = w->p->t;
	const struct note_layout *l = layout_of(t);
	uint8_t note[INFO_SIZE_MAX] = { 0 };
	const char *state = strchr(states, task->letter);
	struct task_words words;
	struct err ignored;
	uint64_t v, cred;
	size_t n = 0;

	note[0] = (uint8_t)(state && task->letter ? state - states : 0);
	note[1] = (uint8_t)task->letter;
	note[2] = task->letter == 'Z';
	if (field_u64(t, "struct task_struct", task->addr, "static_prio", &v, &ignored))
		note[3] = (uint8_t)(v - 120);
	put_long(t, note + l->flags, task->flags);
	if (field_u64(t, "struct task_struct", task->addr, "cred", &cred, &ignored)) {
		if (field_u64(t, "struct cred", cred, "uid.val", &v, &ignored))
			put_id(l, note + l->uid, v);
		if (field_u64(t, "struct cred", cred, "gid.val", &v, &ignored))
			put_id(l, note + l->gid, v);
	}
	put_process(t, note + l->process, task->tgid, task->ppid, s->signal);
	memcpy(note + l->name, task->comm, strnlen(task->comm, INFO_NAME));
	if (task_words(t, task, false, w->p->arena, &words, &ignored))
		for (size_t i = 0; i < words.n && n < INFO_WORDS; i++) {
			size_t part = strnlen(words.v[i], INFO_WORDS - n);

			memcpy(note + l->words + n, words.v[i], part);
			n += part;
			if (i + 1 < words.n && n < INFO_WORDS)
				note[l->words + n++] = ' ';
		}
	add_note("CORE", NT_PRPSINFO, note, l->info_size, w);
}

static void siginfo_note(struct core_noting *w, const struct task_signals *s)
{
	uint8_t note[SIGINFO_SIZE] = { 0 };
	const struct type *type;
	struct err why;

	if (!s->last_siginfo)
		return;
	if (!type_find(w->p->t, "struct kernel_siginfo", &type, &why) ||
	    !mem_read(w->p->t, s->last_siginfo, note,
		      type->size < sizeof(note) ? (size_t)type->size : sizeof(note), &why))
		tell(w, &why);
	else
		add_note("CORE", NT_SIGINFO, note, sizeof(note), w);
}

static void auxv_note(struct core_noting *w)
{
	struct target *t = w->p->t;
	uint64_t words[AUXV_MAX], off, n;
	struct member_ref ref;
	const struct type *mm;
	struct buf b = { 0 };
	struct err why;

	if (!type_find(t, "struct mm_struct", &mm, &why) ||
	    !type_member(mm, "saved_auxv", &ref, &why)) {
		tell(w, &why);
		return;
	}
	off = ref.offset;
	n = type_strip(ref.type)->size / t->arch->word;
	if (n > AUXV_MAX)
		n = AUXV_MAX;
	if (!mem_words(t, w->p->task->mm + off, words, (size_t)n, &why)) {
		tell(w, &why);
		return;
	}
	for (size_t i = 0; i + 1 < n; i += 2) {
		add_long(t, &b, words[i]);
		add_long(t, &b, words[i + 1]);
		if (words[i] == AT_NULL)
			break;
	}
	add_note("CORE", NT_AUXV, b.s, b.n, w);
	buf_release(&b);
}

static void process_notes(struct core_noting *w, const struct task_signals *s)
{
	info_note(w, s);
	siginfo_note(w, s);
	auxv_note(w);
}

static void file_note(struct core_noting *w, const struct core_map *maps, size_t n)
{
	const struct target *t = w->p->t;
	struct buf b = { 0 };

	add_long(t, &b, n);
	add_long(t, &b, t->page_size);
	for (size_t i = 0; i < n; i++) {
		add_long(t, &b, maps[i].start);
		add_long(t, &b, maps[i].end);
		add_long(t, &b, maps[i].offset / t->page_size);
	}
	for (size_t i = 0; i < n; i++)
		buf_add(&b, maps[i].name, strlen(maps[i].name) + 1);
	add_note("CORE", NT_FILE, b.s, b.n, w);
	buf_release(&b);
}

size_t core_notes_add(struct buf *b, struct user_program *p, const struct core_map *maps,
		      size_t n_maps, void (*flaw)(const struct err *e, void *arg), void *arg)
{
	struct core_noting w = { b, p, flaw, arg };
	const struct task *const *all;
	size_t n, threads = 0;
	struct err why;

	threads += thread_notes(&w, p->task, process_notes);
	if (n_maps)
		file_note(&w, maps, n_maps);
	if (!tasks_of_group(p->t, p->task, &all, &n, &why)) {
		tell(&w, &why);
		return threads;
	}
	for (size_t i = 0; i < n; i++)
		if (all[i]->addr != p->task->addr)
			threads += thread_notes(&w, all[i], NULL);
	return threads;
}
