/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The judgement, of findings that are made up: which of several claims is the cause, how sure
 * anybody may be, and when nobody may call a machine healthy. */
#include "core/base/test.h"
#include "core/verdict/check.h"

#define FINDINGS 4

static const struct checkup plain = { .name = "plain" }, vital = { .name = "vital", .vital = true };

struct court {
	struct target t;
	struct arena scratch;
	struct triage g;
	struct finding findings[FINDINGS];
	struct verdict v;
};

/* A machine that ended in this way, of which nothing was found yet. There are texts alone. */
static void court_open(struct court *c, enum death_way way, bool standstill)
{
	memset(c, 0, sizeof(*c));
	target_init(&c->t, &c->scratch);
	c->g = (struct triage){ .t = &c->t, .a = &c->scratch, .from_text = true };
	c->g.findings = c->findings;
	c->g.log_why.code = ERR_OK;
	c->g.death = (struct death){ .way = way,
				     .standstill = standstill,
				     .how = "a way",
				     .source = "log",
				     .pid = 7,
				     .cpu = 1,
				     .comm = "ender" };
}

static void court_close(struct court *c)
{
	vec_release(&c->g.reports);
	target_release(&c->t);
	arena_release(&c->scratch);
}

static void court_find(struct court *c, const struct checkup *check, enum check_state state,
		       const struct claim *claim)
{
	c->findings[c->g.n_findings++] =
		(struct finding){ .check = check, .state = state, .text = "text", .claim = claim };
}

static const struct claim deadlock = { .kind = "deadlock",
				       .sentence = "two wait for each other",
				       .sure = SURE_CERTAIN,
				       .why_sure = "proven",
				       .pid = -1,
				       .cpu = -1 };
static const struct claim hung = { .kind = "hung-task",
				   .sentence = "one waits",
				   .sure = SURE_LIKELY,
				   .why_sure = "its age",
				   .pid = -1,
				   .cpu = -1 };
static const struct report slab = { .kind = KIND_SLAB };
static const struct claim broken = { .kind = "slab-corruption",
				     .sentence = "memory is broken",
				     .sure = SURE_LIKELY,
				     .why_sure = "the report",
				     .pid = -1,
				     .cpu = -1,
				     .report = &slab };

/* Of what fails the first in order is the cause, however sure the others are; what warns is not
 * heard beside it. */
TEST(what_fails_first)
{
	struct court c;

	court_open(&c, WAY_SYSRQ, true);
	court_find(&c, &plain, CHECK_WARN, &broken);
	court_find(&c, &plain, CHECK_FAIL, &hung);
	court_find(&c, &plain, CHECK_FAIL, &deadlock);
	judge(&c.g, &c.v);
	CHECK_U64(c.v.outcome, OUTCOME_STUCK);
	CHECK(c.v.claim && !strcmp(c.v.claim->kind, "hung-task"));
	CHECK_U64(c.v.sure, SURE_LIKELY);
	CHECK_STR(c.v.sentence, "one waits");
	CHECK_STR(c.v.why_sure, "its age");
	court_close(&c);
}

/* The order of checks: what stands still because of another stands behind it. */
TEST(causes_stand_before_what_follows_from_them)
{
	static const char *const pairs[][2] = {
		{ "deadlock", "hung" }, /* who is in a ring waits in D */
		{ "deadlock", "cpus" }, /* who spins for a lock in a ring */
		{ "deadlock", "rcu" },
		{ "oops", "cpus" }, /* a lock that the dead left locked is spun for */
		{ "oops", "hung" }, /* or slept for */
		{ "oops", "rcu" },
		{ "timers", "cpus" }, /* with interrupts off nobody touches the watchdog */
		{ "timers", "rcu" },
		{ "timers", "ipi" }, /* nor answers others */
		{ "cpus", "ipi" },
		{ "cpus", "rcu" },  /* a CPU that is kept passes no grace period */
		{ "cpus", "runq" }, /* and lets nobody run */
		{ "cpus", "workqueues" },
		{ "runq", "rcu" }, /* the thread of RCU starves as others do */
		{ "runq", "workqueues" },
		{ "io", "fs" }, /* a disk that does not answer */
		{ "io", "hung" },
		{ "fs", "hung" }, /* a frozen file system is waited for in D */
		{ "rcu", "workqueues" },
		{ "rcu", "hung" },        /* synchronize_rcu() waits in D */
		{ "workqueues", "hung" }, /* flush_work() does */
		{ "hung", "memory" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(pairs); i++) {
		size_t n, at[2] = { SIZE_MAX, SIZE_MAX };

		for (n = 0; checks[n]; n++)
			for (size_t k = 0; k < 2; k++)
				if (!strcmp(checks[n]->name, pairs[i][k]))
					at[k] = n;
		if (!(at[0] < at[1] && at[1] < n))
			printf("  %s is to stand before %s\n", pairs[i][0], pairs[i][1]);
		CHECK(at[0] < at[1] && at[1] < n);
	}
}

/* What is only worth a line may be why; nobody is sure of that. */
TEST(a_warning_is_no_more_than_possible)
{
	struct court c;

	court_open(&c, WAY_SYSRQ, true);
	court_find(&c, &plain, CHECK_OK, NULL);
	court_find(&c, &plain, CHECK_WARN, NULL);
	court_find(&c, &plain, CHECK_WARN, &deadlock);
	judge(&c.g, &c.v);
	CHECK_U64(c.v.outcome, OUTCOME_STUCK);
	CHECK_U64(c.v.sure, SURE_POSSIBLE);
	CHECK(c.v.claim && !strcmp(c.v.claim->kind, "deadlock"));
	/* the claim itself is what it was */
	CHECK_U64(deadlock.sure, SURE_CERTAIN);
	court_close(&c);
}

/* Somebody asked, or nobody panicked, and no check found anything. */
TEST(a_healthy_machine)
{
	struct court c;

	court_open(&c, WAY_SYSRQ, true);
	court_find(&c, &vital, CHECK_OK, NULL);
	court_find(&c, &plain, CHECK_WARN, NULL);
	court_find(&c, &plain, CHECK_UNKNOWN, NULL);
	judge(&c.g, &c.v);
	CHECK_U64(c.v.outcome, OUTCOME_ALIVE);
	/* what no check looks at can be wrong: never certain */
	CHECK_U64(c.v.sure, SURE_LIKELY);
	CHECK_STR(c.v.sentence, "nothing is wrong: ender[7] asked for the crash by sysrq");
	CHECK_STR(c.v.why_sure, "1 checks ok, 1 with a warning, 1 not possible");
	CHECK(!c.v.claim);
	court_close(&c);
	court_open(&c, WAY_LIVE, true);
	court_find(&c, &vital, CHECK_OK, NULL);
	judge(&c.g, &c.v);
	CHECK_U64(c.v.outcome, OUTCOME_ALIVE);
	CHECK_U64(c.v.sure, SURE_LIKELY);
	CHECK_STR(c.v.sentence, "nothing is wrong: it was dumped while it ran");
	court_close(&c);
}

/* Who asked for the crash of a kernel whose lists are broken may have asked because of that. */
TEST(a_machine_that_only_seems_healthy)
{
	struct court c;

	court_open(&c, WAY_SYSRQ, true);
	court_find(&c, &vital, CHECK_OK, NULL);
	court_find(&c, &check_walks, CHECK_WARN, NULL);
	judge(&c.g, &c.v);
	CHECK_U64(c.v.outcome, OUTCOME_ALIVE);
	CHECK_STR(c.v.sentence, "no check failed, but not all of memory is as it must be: ender[7] "
				"asked for the crash by sysrq");
	court_close(&c);
}

/* Who could not look at what matters cannot say that nothing is wrong. */
TEST(nobody_looked)
{
	struct court c;

	court_open(&c, WAY_LIVE, true);
	court_find(&c, &plain, CHECK_OK, NULL);
	court_find(&c, &vital, CHECK_UNKNOWN, NULL);
	judge(&c.g, &c.v);
	CHECK_U64(c.v.outcome, OUTCOME_UNKNOWN);
	CHECK_U64(c.v.sure, SURE_NOT);
	CHECK_CONTAINS(c.v.sentence, "what was wrong before could not be looked at");
	court_close(&c);
	/* nor who was blind to most of it */
	for (size_t blind = 1; blind < 3; blind++) {
		court_open(&c, WAY_LIVE, true);
		court_find(&c, &vital, CHECK_OK, NULL);
		for (size_t i = 0; i < blind; i++)
			court_find(&c, &plain, CHECK_UNKNOWN, NULL);
		judge(&c.g, &c.v);
		CHECK_U64(c.v.outcome, blind == 1 ? OUTCOME_ALIVE : OUTCOME_UNKNOWN);
		court_close(&c);
	}
}

/* The kernel itself noticed that something stood still, or an NMI came: that no check finds it
 * makes nobody healthy. */
TEST(a_watchdog_is_believed)
{
	static const enum death_way ways[] = { WAY_SOFT_LOCKUP, WAY_HARD_LOCKUP, WAY_RCU,
					       WAY_HUNG_TASK,   WAY_NMI,         WAY_PANIC };
	struct court c;

	for (size_t i = 0; i < ARRAY_SIZE(ways); i++) {
		court_open(&c, ways[i], true);
		court_find(&c, &vital, CHECK_OK, NULL);
		judge(&c.g, &c.v);
		CHECK_U64(c.v.outcome, OUTCOME_UNKNOWN);
		CHECK_U64(c.v.sure, SURE_NOT);
		CHECK_STR(c.v.sentence, "it ended by a way while ender[7] ran, and nothing that "
					"was looked at tells why");
		court_close(&c);
	}
}

/* What the kernel reported and survived hurt it; it is stuck where something stands still besides,
 * or where a watchdog said so. */
TEST(hurt_or_stuck)
{
	static const struct {
		enum death_way way;
		bool besides;
		enum outcome outcome;
	} ends[] = {
		{ WAY_SYSRQ, false, OUTCOME_HURT },
		{ WAY_LIVE, false, OUTCOME_HURT },
		{ WAY_NMI, false, OUTCOME_HURT },
		{ WAY_SYSRQ, true, OUTCOME_STUCK },
		{ WAY_LIVE, true, OUTCOME_STUCK },
		{ WAY_SOFT_LOCKUP, false, OUTCOME_STUCK },
		{ WAY_HUNG_TASK, false, OUTCOME_STUCK },
		{ WAY_RCU, false, OUTCOME_STUCK },
		{ WAY_HARD_LOCKUP, false, OUTCOME_STUCK },
	};
	struct court c;

	for (size_t i = 0; i < ARRAY_SIZE(ends); i++) {
		court_open(&c, ends[i].way, true);
		court_find(&c, &plain, CHECK_FAIL, &broken);
		/* what warns stands still no more than what is well */
		court_find(&c, &plain, ends[i].besides ? CHECK_FAIL : CHECK_WARN, &hung);
		judge(&c.g, &c.v);
		CHECK_U64(c.v.outcome, ends[i].outcome);
		CHECK(c.v.claim && !strcmp(c.v.claim->kind, "slab-corruption"));
		court_close(&c);
	}
}

/* A kernel that died of something of its own: what stood still in it is not why. */
TEST(a_death_is_no_standstill)
{
	struct court c;

	court_open(&c, WAY_PANIC, false);
	c.g.death.panic = "the driver gave up";
	court_find(&c, &plain, CHECK_FAIL, &deadlock);
	judge(&c.g, &c.v);
	CHECK_U64(c.v.outcome, OUTCOME_DEAD);
	REQUIRE(c.v.claim);
	CHECK_STR(c.v.claim->kind, "panic");
	CHECK_U64(c.v.sure, SURE_LIKELY);
	CHECK_STR(c.v.sentence, "a way, said ender[7]: \"the driver gave up\"");
	REQUIRE(c.v.claim->n_evidence == 1);
	CHECK_STR(c.v.claim->evidence[0].text, "the driver gave up");
	court_close(&c);
}

/* No report, no panic, no words: the reason why the log is not known is told. */
TEST(nothing_is_left)
{
	struct court c;

	court_open(&c, WAY_UNKNOWN, false);
	c.g.from_text = false;
	err_set(&c.g.log_why, ERR_EXCLUDED, "the log's page is excluded");
	judge(&c.g, &c.v);
	CHECK_U64(c.v.outcome, OUTCOME_UNKNOWN);
	CHECK_U64(c.v.sure, SURE_NOT);
	CHECK_STR(c.v.sentence, "what is left does not tell how the kernel ended");
	CHECK_STR(c.v.why_sure, "the log's page is excluded");
	CHECK(!c.v.claim);
	court_close(&c);
}

/* Spans in the words of a sentence, on both sides of each unit. */
TEST(spans)
{
	static const struct {
		uint64_t ms;
		const char *words;
	} spans[] = {
		{ 0, "0.0 s" },        { 999, "0.9 s" },        { 119999, "119.9 s" },
		{ 120000, "2 min" },   { 7199999, "119 min" },  { 7200000, "2 h" },
		{ 172799999, "47 h" }, { 172800000, "2 days" },
	};
	struct court c;

	court_open(&c, WAY_LIVE, true);
	for (size_t i = 0; i < ARRAY_SIZE(spans); i++)
		CHECK_STR(span_words(&c.g, spans[i].ms * 1000000), spans[i].words);
	CHECK_STR(who(&c.g, "sh", 1), "sh[1]");
	CHECK_STR(who(&c.g, "swapper/0", 0), "swapper/0[0]");
	CHECK_STR(who(&c.g, NULL, 5), "task[5]");
	CHECK_STR(who(&c.g, "sh", -1), "sh");
	CHECK_STR(who(&c.g, NULL, -1), "a task");
	court_close(&c);
}

/* Evidence beyond what a claim has room for is left out, and nothing else is overwritten. */
TEST(too_much_evidence)
{
	struct court c;
	struct claim *claim;

	court_open(&c, WAY_LIVE, true);
	claim = claim_new(&c.g, "kind", SURE_LIKELY, "why");
	CHECK(claim->pid == -1 && claim->cpu == -1);
	for (unsigned i = 0; i < EVIDENCE_MAX + 3; i++)
		claim_support(&c.g, claim, "log", "number %u", i);
	CHECK_U64(claim->n_evidence, EVIDENCE_MAX);
	CHECK_STR(claim->evidence[EVIDENCE_MAX - 1].text, "number 11");
	court_close(&c);
}

TEST_MAIN
