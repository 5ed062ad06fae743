/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of who is asked about a frame and about a line: sources in order, and what is kept. */
#include "core/base/test.h"
#include "core/types/frame_info.h"
#include "core/image/target.h"

static struct target t;
static struct arena scratch;

/* A source that answers, or says why not. */
struct witness {
	struct frame_source frames;
	struct line_source lines;
	enum err_code says; /* ERR_OK: it answers */
	unsigned asked;
	uint64_t answer;
};

static bool caller(struct frame_source *s, const struct frame_at *f, struct regs *ret,
		   uint64_t *cfa, struct err *err)
{
	struct witness *w = s->self;

	(void)f;
	(void)ret;
	w->asked++;
	*cfa = w->answer;
	return !w->says || err_set(err, w->says, "witness %u", (unsigned)w->answer);
}

static bool variables(struct frame_source *s, const struct frame_at *f, struct arena *a,
		      const struct variable **ret, size_t *n, struct err *err)
{
	struct witness *w = s->self;

	(void)f;
	(void)a;
	(void)ret;
	w->asked++;
	*n = w->answer;
	return !w->says || err_set(err, w->says, "witness %u", (unsigned)w->answer);
}

static bool tail_calls(struct frame_source *s, const struct frame_at *f, struct tail_call *ret,
		       size_t *n, struct err *err)
{
	struct witness *w = s->self;

	(void)f;
	w->asked++;
	memset(ret, 0, sizeof(*ret));
	*n = 1;
	return !w->says || err_set(err, w->says, "witness %u", (unsigned)w->answer);
}

static bool line(struct line_source *s, uint64_t addr, const struct line **ret, size_t *n,
		 struct err *err)
{
	static const struct line none;
	struct witness *w = s->self;

	(void)addr;
	w->asked++;
	*ret = &none;
	*n = w->answer;
	return !w->says || err_set(err, w->says, "witness %u", (unsigned)w->answer);
}

static struct witness ws[3];

static void start(const enum err_code *says, size_t n)
{
	target_init(&t, &scratch);
	for (size_t i = 0; i < n; i++) {
		ws[i] = (struct witness){ .says = says[i], .answer = i + 1 };
		ws[i].frames = (struct frame_source){ .caller = caller,
						      .variables = variables,
						      .tail_calls = tail_calls,
						      .t = &t,
						      .self = &ws[i] };
		ws[i].lines = (struct line_source){ .find = line, .self = &ws[i] };
		frame_source_add(&t, &ws[i].frames);
		lines_add(&t, &ws[i].lines);
	}
}

static void end(void)
{
	target_release(&t);
	arena_release(&scratch);
}

/* Who does not know the frame, or lacks its file, is passed over; who knows it and fails is not. */
static const struct {
	enum err_code says[3];
	unsigned asked; /* how many are */
	enum err_code code;
} orders[] = {
	{ { ERR_OK, ERR_OK, ERR_OK }, 1, ERR_OK },
	{ { ERR_NOTFOUND, ERR_OK, ERR_OK }, 2, ERR_OK },
	{ { ERR_NEED, ERR_NOTFOUND, ERR_OK }, 3, ERR_OK },
	{ { ERR_NOTFOUND, ERR_CORRUPT, ERR_OK }, 2, ERR_CORRUPT },
	{ { ERR_INTR, ERR_OK, ERR_OK }, 1, ERR_INTR },
	{ { ERR_NEED, ERR_NEED, ERR_NOTFOUND }, 3, ERR_NOTFOUND },
};

TEST(frames_are_told_by_the_first_that_knows)
{
	const struct frame_at f = { .pc = 0x1000 };

	for (unsigned question = 0; question < 3; question++)
		for (size_t i = 0; i < ARRAY_SIZE(orders); i++) {
			struct tail_call calls[TAIL_CALLS_MAX];
			const struct variable *vars;
			struct err err = { 0 };
			struct regs regs;
			uint64_t cfa = 0;
			size_t n = 0;
			bool ok;

			start(orders[i].says, 3);
			if (question == 0)
				ok = frame_caller(&t, &f, &regs, &cfa, &err);
			else if (question == 1)
				ok = frame_variables(&t, &f, &scratch, &vars, &n, &err);
			else
				ok = frame_tail_calls(&t, &f, calls, &n, &err);
			CHECK(ok == (orders[i].code == ERR_OK));
			for (unsigned k = 0; k < 3; k++)
				CHECK_U64(ws[k].asked, k < orders[i].asked);
			if (ok && question < 2)
				CHECK_U64(question ? n : cfa, orders[i].asked);
			if (!ok && question < 2)
				CHECK_ERR(err, orders[i].code);
			if (!ok && question == 2)
				CHECK_ERR(err, ERR_NOTFOUND);
			end();
		}
}

TEST(who_offers_nothing_is_not_asked)
{
	const enum err_code says[] = { ERR_OK, ERR_OK };
	const struct frame_at f = { .pc = 0x1000 };
	struct tail_call calls[TAIL_CALLS_MAX];
	const struct variable *vars;
	struct regs regs;
	struct err err;
	uint64_t cfa;
	size_t n = 0;

	start(says, 2);
	ws[0].frames.variables = NULL;
	ws[0].frames.tail_calls = NULL;
	CHECK_OK(frame_variables(&t, &f, &scratch, &vars, &n, &err), err);
	CHECK_U64(n, 2);
	CHECK_OK(frame_tail_calls(&t, &f, calls, &n, &err), err);
	CHECK(!ws[0].asked && ws[1].asked == 2);
	end();
	start(says, 0);
	CHECK(!frame_caller(&t, &f, &regs, &cfa, &err));
	CHECK_ERR(err, ERR_NEED);
	CHECK(!frame_variables(&t, &f, &scratch, &vars, &n, &err));
	CHECK_ERR(err, ERR_NEED);
	CHECK(!frame_tail_calls(&t, &f, calls, &n, &err));
	CHECK_ERR(err, ERR_NOTFOUND);
	end();
}

/* Of one place and one caller they are asked once; not answered is what was interrupted. */
TEST(tail_calls_are_asked_for_once)
{
	const enum err_code says[] = { ERR_OK };
	const struct frame_at a = { .pc = 0x1000 }, b = { .pc = 0x2000 };
	const struct frame_at under_a = { .pc = 0x1000, .caller = &a },
			      under_b = { .pc = 0x1000, .caller = &b },
			      /* the instruction before is the same place, said exactly */
		exact = { .pc = 0xfff, .exact = true }, next = { .pc = 0x1000, .exact = true };
	const struct frame_at *const frames[] = { &a, &b, &under_a, &under_b, &next };
	struct tail_call calls[TAIL_CALLS_MAX];
	struct err err;
	size_t n;

	start(says, 1);
	for (unsigned again = 0; again < 2; again++)
		for (size_t i = 0; i < ARRAY_SIZE(frames); i++)
			CHECK_OK(frame_tail_calls(&t, frames[i], calls, &n, &err), err);
	CHECK_U64(ws[0].asked, ARRAY_SIZE(frames));
	CHECK_OK(frame_tail_calls(&t, &exact, calls, &n, &err), err);
	CHECK_U64(ws[0].asked, ARRAY_SIZE(frames));
	end();
	start(says, 1);
	ws[0].says = ERR_INTR;
	CHECK(!frame_tail_calls(&t, &a, calls, &n, &err));
	ws[0].says = ERR_OK;
	CHECK_OK(frame_tail_calls(&t, &a, calls, &n, &err), err);
	CHECK_U64(ws[0].asked, 2);
	ws[0].says = ERR_NOTFOUND; /* an answer as well */
	CHECK(!frame_tail_calls(&t, &b, calls, &n, &err));
	ws[0].says = ERR_OK;
	CHECK(!frame_tail_calls(&t, &b, calls, &n, &err));
	end();
}

TEST(where_a_frame_is_looked_up)
{
	CHECK_U64(frame_at_lookup(&(struct frame_at){ .pc = 0x1000 }), 0xfff);
	CHECK_U64(frame_at_lookup(&(struct frame_at){ .pc = 0x1000, .exact = true }), 0x1000);
	CHECK_U64(frame_at_lookup(&(struct frame_at){ .pc = 0 }), 0); /* a call of nothing */
}

/* Any source may answer; of those that cannot, who knows the place says more than who does not. */
TEST(lines_are_told_by_the_first_that_knows)
{
	static const struct {
		enum err_code says[3];
		unsigned asked;
		enum err_code code;
	} cases[] = {
		{ { ERR_OK, ERR_OK, ERR_OK }, 1, ERR_OK },
		{ { ERR_NOTFOUND, ERR_OK, ERR_OK }, 2, ERR_OK },
		{ { ERR_CORRUPT, ERR_NEED, ERR_OK }, 3, ERR_OK },
		{ { ERR_NOTFOUND, ERR_NEED, ERR_NOTFOUND }, 3, ERR_NEED },
		{ { ERR_NEED, ERR_CORRUPT, ERR_NOTFOUND }, 3, ERR_NEED },
		{ { ERR_NOTFOUND, ERR_NOTFOUND, ERR_NOTFOUND }, 3, ERR_NOTFOUND },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct line *lines;
		struct err err;
		size_t n = 0;

		start(cases[i].says, 3);
		t.dwarf = (struct dwarf_file
				   *)&t; /* somebody knows the kernel itself; only that is asked */
		for (unsigned again = 0; again < 2; again++) { /* and is asked once */
			bool ok = line_find(&t, 0x1000, &lines, &n, &err);

			CHECK(ok == (cases[i].code == ERR_OK));
			if (ok)
				CHECK_U64(n, cases[i].asked);
			else
				CHECK_ERR(err, cases[i].code);
			for (unsigned k = 0; k < 3; k++)
				CHECK_U64(ws[k].asked, k < cases[i].asked);
		}
		(void)!line_find(&t, 0x1001, &lines, &n, &err);
		CHECK_U64(ws[0].asked, 2);
		t.dwarf = NULL;
		end();
	}
	{
		const struct line *lines;
		struct err err;
		size_t n;

		start(NULL, 0);
		CHECK(!line_find(&t, 0x1000, &lines, &n, &err));
		CHECK_ERR(err, ERR_NEED);
		end();
		start(cases[5].says, 3); /* modules' files alone know nothing of the kernel */
		CHECK(!line_find(&t, 0x1000, &lines, &n, &err));
		CHECK_ERR(err, ERR_NEED);
		end();
	}
}

TEST_MAIN
