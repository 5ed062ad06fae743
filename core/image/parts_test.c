/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of questions in parts: what other processes make the target warn of, parts that are lost,
 * progress, memory that is one process's alone. */
#include "core/image/parts.h"

#include <signal.h>
#include <unistd.h>

#include "core/base/test.h"

#define N 12u

struct asking {
	struct target *t;
	struct buf got;
	unsigned told; /* times that progress was told of here */
	uint64_t done;
	bool dies, here;
};

/* Every part says the same, and the odd ones something of their own. */
static bool ask(struct parts *p, size_t i, void *arg, struct err *err)
{
	struct asking *a = arg;
	struct err lack;

	(void)err;
	a->here &= parts_here(p);
	target_tell(a->t, "within", 0, 1); /* is nobody's in another process */
	(void)err_set(&lack, ERR_NOSYM, "no symbol 'x'");
	target_lacks(a->t, &lack);
	if (i % 2) {
		(void)err_set(&lack, ERR_EXCLUDED, "part %zu", i);
		target_lacks(a->t, &lack);
	}
	if (a->dies && i == 6 && !parts_here(p))
		(void)kill(getpid(), SIGKILL);
	return parts_send(p, &i, sizeof(i));
}

static bool take(size_t i, const void *message, size_t n, void *arg)
{
	struct asking *a = arg;

	CHECK_U64(n, sizeof(i));
	CHECK_MEM(message, &i, sizeof(i));
	buf_printf(&a->got, "%zu ", i);
	return true;
}

static void name(struct buf *b, size_t i, void *arg)
{
	(void)arg;
	buf_printf(b, "what part %zu knew", i);
}

static void lose(const struct err *why, void *arg)
{
	buf_printf(&((struct asking *)arg)->got, "(%.*s) ", (int)strcspn(why->msg, ":"), why->msg);
}

static void tell(void *arg, const char *what, uint64_t done, uint64_t all)
{
	struct asking *a = arg;

	if (what && !strcmp(what, "within"))
		return;
	CHECK_STR(what, "asking");
	CHECK_U64(all, N);
	CHECK_U64(done, a->done + 1);
	a->done = done;
	a->told++;
}

static void run(struct asking *a, struct target *t, struct arena *scratch, unsigned jobs,
		bool losing)
{
	struct parts p = { .t = t,
			   .what = "asking",
			   .n = N,
			   .work = ask,
			   .take = take,
			   .name = name,
			   .lost = losing ? lose : NULL,
			   .arg = a };
	struct err err;

	target_init(t, scratch);
	t->jobs = jobs;
	t->progress.tell = tell;
	t->progress.arg = a;
	a->t = t;
	a->here = true;
	CHECK_OK(parts_run(&p, &err), err);
	CHECK_U64(a->told, N);
}

static void end(struct asking *a, struct target *t, struct arena *scratch)
{
	buf_release(&a->got);
	target_release(t);
	arena_release(scratch);
}

/* Once each, and in the order of the parts, as if one process had done all. */
TEST(warnings_come_in_the_order_of_the_parts)
{
	for (unsigned jobs = 1; jobs < 4; jobs++) {
		struct asking a = { 0 };
		struct arena scratch = { 0 };
		struct target t;
		char want[16];

		run(&a, &t, &scratch, jobs, false);
		CHECK_STR(buf_text(&a.got), "0 1 2 3 4 5 6 7 8 9 10 11 ");
		if (CHECK_U64(t.warnings.n, 1 + N / 2)) {
			CHECK_STR(t.warnings.p[0].text, "no symbol 'x'");
			CHECK_U64(t.warnings.p[0].code, ERR_NOSYM);
		}
		for (size_t i = 1; i < t.warnings.n; i++) {
			snprintf(want, sizeof(want), "part %zu", 2 * i - 1);
			CHECK_STR(t.warnings.p[i].text, want);
			CHECK_U64(t.warnings.p[i].code, ERR_EXCLUDED);
		}
		end(&a, &t, &scratch);
	}
}

/* It is named, by the target or by who asked, and counts as what could not be read. */
TEST(a_lost_part_is_named)
{
	for (unsigned losing = 0; losing < 2; losing++) {
		struct asking a = { .dies = true };
		struct arena scratch = { 0 };
		struct target t;
		const struct warning *w;

		run(&a, &t, &scratch, 2, losing);
		CHECK_STR(buf_text(&a.got), losing ? "0 1 2 3 4 5 (what part 6 knew) 7 8 9 10 11 "
						   : "0 1 2 3 4 5 7 8 9 10 11 ");
		CHECK_U64(t.warnings.n, 1 + N / 2 + !losing);
		w = &t.warnings.p[4]; /* behind those of all, of 1, 3 and 5 */
		CHECK_STR(w->text, losing ? "part 7"
					  : "what part 6 knew: the process that worked on it ended "
					    "by signal 9 (Killed)");
		CHECK_U64(w->code, losing ? ERR_EXCLUDED : ERR_CORRUPT);
		end(&a, &t, &scratch);
	}
}

static bool read_nothing(void *self, uint64_t pa, void *buf, size_t n, struct err *err)
{
	(void)self, (void)pa, (void)buf, (void)n;
	return err_set(err, ERR_NOTRAM, "none");
}

/* Who reads memory by way of a process of its own is not copied. */
TEST(memory_that_is_one_process_s_is_read_by_one)
{
	for (unsigned alone = 0; alone < 2; alone++) {
		struct arena scratch = { 0 };
		struct target t;

		target_init(&t, &scratch);
		t.jobs = 7;
		t.memory.phys = (struct phys_source){ .read = read_nothing, .alone = alone };
		CHECK_U64(mem_jobs(&t), alone ? 1 : 7);
		target_release(&t);
	}
}

TEST_MAIN
