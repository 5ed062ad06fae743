/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A small table of a hist trigger, whole and damaged. */
#include "core/base/test.h"
#include "core/linux/trace/hist_fake.h"

static struct fake_kernel k;

static void count_note(const struct err *e, void *arg)
{
	(void)e;
	++*(unsigned *)arg;
}

static void make(void)
{
	hist_fake_types(&k);
	hist_fake_table(&k);
	hist_fake_entry(&k, 1, 42, 3, 100);
	hist_fake_entry(&k, 5, -1, 2, 100);
	hist_fake_entry(&k, 9, 7, 1, 900);
}

TEST(a_table_is_read_and_sorted)
{
	struct hist_table h = { 0 };
	struct hist_spec spec;
	struct err err = { 0 };
	unsigned notes = 0;

	make();
	CHECK(hist_read(&k.t, HIST_DATA, &h, count_note, &notes, &err));
	CHECK(!notes);
	CHECK(h.hits == 100 && h.drops == 7);
	CHECK(h.n_entries == 3 && h.n_keys == 1 && h.n_vals == 2);
	/* most bytes first; of the same, the lesser pid */
	CHECK(h.entries[0].keys[0].num == 7 && h.entries[0].vals[1].num == 900);
	CHECK((int64_t)h.entries[1].keys[0].num == -1 && h.entries[1].vals[0].num == 2);
	CHECK(h.entries[2].keys[0].num == 42 && h.entries[2].vals[0].num == 3);
	CHECK(h.totals[0] == 6 && h.totals[1] == 1100 && h.most[1] == 900);
	CHECK(hist_spec_read(&k.t, HIST_DATA, &spec, &err));
	CHECK_STR(hist_spec_text(&k.t, &spec, NULL),
		  "hist:keys=pid:vals=hitcount,bytes:sort=bytes.descending,pid:size=8");
	CHECK_STR(hist_spec_text(&k.t, &spec, "mine"),
		  "hist:mine:keys=pid:vals=hitcount,bytes:sort=bytes.descending,pid:size=8");
	kernel_release(&k);
}

TEST(an_entry_that_is_not_there_costs_itself_only)
{
	struct hist_table h = { 0 };
	struct err err = { 0 };
	unsigned notes = 0;

	make();
	put64(&k, HIST_SLOTS + 16 * 5 + 8, KERNEL_BASE + KERNEL_SIZE + 64);
	CHECK(hist_read(&k.t, HIST_DATA, &h, count_note, &notes, &err));
	CHECK(notes == 1 && h.n_entries == 2);
	kernel_release(&k);
}

static bool table(struct hist_table *h, unsigned *notes)
{
	struct err err = { 0 };

	*h = (struct hist_table){ 0 };
	*notes = 0;
	return CHECK_OK(hist_read(&k.t, HIST_DATA, h, count_note, notes, &err), err);
}

static const char *trigger_text(void)
{
	struct hist_spec spec;
	struct err err;

	return CHECK_OK(hist_spec_read(&k.t, HIST_DATA, &spec, &err), err)
		       ? hist_spec_text(&k.t, &spec, NULL)
		       : "";
}

/* Slots lie on pages of 8; what is on a page that the dump lacks is told of once. */
TEST(slots_of_two_pages)
{
	const uint64_t other = KERNEL_BASE + 0x9000;
	struct hist_table h;
	unsigned notes;

	make();
	put32(&k, HIST_ARRAY + 8, 3);
	put32(&k, HIST_ARRAY + 12, 7);
	put32(&k, HIST_ARRAY + 16, 2);
	put64(&k, HIST_PAGES + 8, other);
	/* slot 9 of the table is slot 1 of the other page; its last is slot 15 */
	memmove(&k.mem[0x9000 + 16], &k.mem[0x2000 + 9 * 16], 16);
	memmove(&k.mem[0x9000 + 7 * 16], &k.mem[0x2000 + 5 * 16], 16);
	REQUIRE(table(&h, &notes));
	CHECK(h.n_entries == 4 && !notes);
	kernel_release(&k);
	make();
	put32(&k, HIST_ARRAY + 8, 3);
	put32(&k, HIST_ARRAY + 12, 7);
	put32(&k, HIST_ARRAY + 16, 2);
	put64(&k, HIST_PAGES + 8, other);
	memmove(&k.mem[0x9000 + 16], &k.mem[0x2000 + 9 * 16], 16);
	k.holes = 1 << 2;
	REQUIRE(table(&h, &notes));
	CHECK(h.n_entries == 1 && notes == 1);
	CHECK_U64(h.entries[0].keys[0].num, 7);
	kernel_release(&k);
}

/* In v7.2 the array of pages is the struct's last member. */
TEST(pages_that_stand_in_the_array)
{
	struct hist_table h;
	unsigned notes;

	make();
	for (size_t i = 0; i < k.n_types; i++)
		for (unsigned j = 0; j < k.types[i]->n_members; j++)
			if (!strcmp(k.types[i]->members[j].name, "pages"))
				k.types[i]->members[j].type = kernel_array(&k, &k.ptr, 0);
	memmove(&k.mem[HIST_ARRAY + 24 - KERNEL_BASE], &k.mem[HIST_PAGES - KERNEL_BASE], 8);
	REQUIRE(table(&h, &notes));
	CHECK(h.n_entries == 3 && !notes);
	kernel_release(&k);
}

/* A slot is taken when both its words are set. */
TEST(slots_that_are_being_taken)
{
	struct hist_table h;
	unsigned notes;

	make();
	put32(&k, HIST_SLOTS + 16 * 5 + 4, 0);
	put64(&k, HIST_SLOTS + 16 * 9 + 8, 0);
	REQUIRE(table(&h, &notes));
	CHECK(h.n_entries == 1 && !notes);
	CHECK_U64(h.entries[0].keys[0].num, 42);
	kernel_release(&k);
}

/* Documentation/trace/histogram.rst names the modifiers; bits are of trace_events_hist.c. */
TEST(how_a_key_is_shown)
{
	static const struct {
		uint32_t flag;
		enum hist_how how;
		const char *key;
	} ways[] = {
		{ 0, HIST_NUMBER, "pid" },
		{ 1u << 2, HIST_STRING, "pid" },
		{ 1u << 3, HIST_HEX, "pid.hex" },
		{ 1u << 4, HIST_SYM, "pid.sym" },
		{ 1u << 5, HIST_SYM_OFFSET, "pid.sym-offset" },
		{ 1u << 6, HIST_EXECNAME, "pid.execname" },
		{ 1u << 7, HIST_SYSCALL, "pid.syscall" },
		{ 1u << 8, HIST_STACK, "pid.stacktrace" },
		{ 1u << 9, HIST_LOG2, "pid.log2" },
		{ 1u << 17, HIST_BUCKET, "pid.buckets=5" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(ways); i++) {
		struct hist_table h;
		unsigned notes;

		make();
		put64(&k, HIST_FIELD(2) + 8, ways[i].flag);
		put64(&k, HIST_FIELD(2) + 16, ways[i].how == HIST_BUCKET ? 5 : 0);
		put64(&k, HIST_ELT(1) + 40, HIST_ELT(1) + 0xc0); /* of pid 42 */
		put64(&k, HIST_ELT(1) + 0xc0, HIST_TEXT + 48);
		put_str(&k, HIST_TEXT + 48, "fifteen letters");
		if (!table(&h, &notes) || !CHECK(h.n_entries == 3))
			continue;
		CHECK_U64(h.entries[2].keys[0].how, ways[i].how);
		CHECK_CONTAINS(
			trigger_text(),
			arena_printf(&k.scratch, "hist:keys=%s:vals=hitcount,bytes:", ways[i].key));
		CHECK_U64(h.buckets[0], ways[i].how == HIST_BUCKET ? 5 : 0);
		if (ways[i].how == HIST_EXECNAME) {
			CHECK_STR(h.entries[2].keys[0].str, "fifteen letters");
			CHECK(!h.entries[0].keys[0].str);
		}
		kernel_release(&k);
	}
}

/* Behind the pid a string of 16 bytes, behind that a stack of three: keys are of u64s. */
static void make_long_keys(void)
{
	make();
	put32(&k, HIST_DATA + 180, 3);
	put32(&k, HIST_DATA + 196, 48);
	put64(&k, HIST_DATA + 24, HIST_FIELD(3));
	put64(&k, HIST_DATA + 32, HIST_FIELD(10));
	put64(&k, HIST_FIELD(3) + 8, 1 << 2);
	put32(&k, HIST_FIELD(3) + 60, 16);
	put32(&k, HIST_FIELD(3) + 64, 8);
	put64(&k, HIST_FIELD(3) + 120, HIST_TEXT + 64);
	put_str(&k, HIST_TEXT + 64, "comm");
	put64(&k, HIST_FIELD(10) + 8, 1 << 8);
	put32(&k, HIST_FIELD(10) + 60, 24);
	put32(&k, HIST_FIELD(10) + 64, 24);
	for (unsigned slot = 1; slot <= 9; slot += 4) {
		put_str(&k, HIST_ELT(slot) + 0x88, slot == 5 ? "sixteen letters!" : "short");
		for (unsigned i = 0; i < (slot == 5 ? 3 : 2); i++)
			put64(&k, HIST_ELT(slot) + 0x98 + 8 * i, 0x1000 * slot + i);
	}
}

TEST(keys_of_several_parts)
{
	const struct hist_part *keys;
	struct hist_table h;
	unsigned notes;

	make_long_keys();
	REQUIRE(table(&h, &notes));
	REQUIRE(h.n_entries == 3 && h.n_keys == 3);
	keys = h.entries[1].keys; /* pid -1, see the first test */
	CHECK(keys[0].num == (uint64_t)-1 && keys[1].how == HIST_STRING);
	CHECK_STR(keys[1].str, "sixteen letters!");
	CHECK(keys[2].how == HIST_STACK && keys[2].n_stack == 3);
	CHECK(keys[2].stack[0] == 0x5000 && keys[2].stack[2] == 0x5002);
	keys = h.entries[2].keys;
	CHECK_STR(keys[1].str, "short");
	CHECK(keys[2].n_stack == 2 && keys[2].stack[1] == 0x1001);
	kernel_release(&k);
}

/* Sorted by the string alone, then a key that says it is behind the key's end. */
TEST(order_of_strings)
{
	struct hist_table h;
	unsigned notes;

	make_long_keys();
	put32(&k, HIST_DATA + 200, 3);
	put8(&k, HIST_DATA + 204, 0);
	put32(&k, HIST_DATA + 216, 1);
	REQUIRE(table(&h, &notes) && h.n_entries == 3);
	/* of the same string, the lesser key as bytes: 7 before 42 */
	CHECK_STR(h.entries[0].keys[1].str, "short");
	CHECK_U64(h.entries[0].keys[0].num, 7);
	CHECK_U64(h.entries[1].keys[0].num, 42);
	CHECK_STR(h.entries[2].keys[1].str, "sixteen letters!");
	put8(&k, HIST_DATA + 204, 1);
	REQUIRE(table(&h, &notes) && h.n_entries == 3);
	CHECK_STR(h.entries[0].keys[1].str, "sixteen letters!");
	put32(&k, HIST_FIELD(3) + 64, 48);
	REQUIRE(table(&h, &notes) && h.n_entries == 3);
	CHECK_STR(h.entries[0].keys[1].str, "");
	kernel_release(&k);
}

/* A pid of four bytes is compared as such: without a sign 0xffffffff is the most. */
TEST(order_of_narrow_numbers)
{
	struct hist_table h;
	unsigned notes;

	make();
	put32(&k, HIST_DATA + 200, 2);
	put8(&k, HIST_DATA + 204, 0);
	put32(&k, HIST_DATA + 216, 1);
	/* what is above the four bytes has no say */
	put64(&k, HIST_ELT(9) + 0x80, UINT64_C(5) << 32 | 7);
	REQUIRE(table(&h, &notes) && h.n_entries == 3);
	CHECK_U64(h.entries[0].vals[1].num, 100);
	CHECK_U64((uint32_t)h.entries[0].keys[0].num, UINT32_MAX);
	CHECK_U64((uint32_t)h.entries[1].keys[0].num, 7);
	CHECK_U64((uint32_t)h.entries[2].keys[0].num, 42);
	put32(&k, HIST_FIELD(6) + 40, 0); /* no sign */
	REQUIRE(table(&h, &notes) && h.n_entries == 3);
	CHECK_U64((uint32_t)h.entries[0].keys[0].num, 7);
	CHECK_U64((uint32_t)h.entries[1].keys[0].num, 42);
	CHECK_U64((uint32_t)h.entries[2].keys[0].num, UINT32_MAX);
	kernel_release(&k);
}

/* Variables are among the values, and no column; what sorts counts without them. */
TEST(variables_are_no_values)
{
	struct hist_table h;
	unsigned notes;

	make();
	put32(&k, HIST_DATA + 176, 3);
	put64(&k, HIST_DATA + 16, HIST_FIELD(3));
	put64(&k, HIST_DATA + 24, HIST_FIELD(2));
	put64(&k, HIST_FIELD(3) + 8, 1 << 12);
	put64(&k, HIST_FIELD(3), HIST_FIELD(5));
	put64(&k, HIST_FIELD(3) + 72, HIST_TEXT + 64);
	put_str(&k, HIST_TEXT + 64, "mine");
	REQUIRE(table(&h, &notes) && h.n_entries == 3);
	CHECK(h.n_vals == 2 && h.n_keys == 1);
	CHECK_U64(h.entries[0].keys[0].num, 7);
	CHECK_U64(h.entries[0].vals[1].num, 900);
	CHECK_STR(h.entries[0].vals[0].name, "hitcount");
	CHECK_STR(h.entries[0].vals[1].name, "bytes");
	CHECK_STR(trigger_text(),
		  "hist:keys=pid:vals=hitcount,bytes:mine=bytes:sort=bytes.descending,pid:size=8");
	kernel_release(&k);
}

/* ---- every table of an instance */

#define TRACE_ARRAY (KERNEL_BASE + 0xa000)
#define TRACE_FILE(i) (KERNEL_BASE + 0xa100 + 0x100 * (uint64_t)(i))
#define TRIGGER(i) (KERNEL_BASE + 0xa400 + 0x100 * (uint64_t)(i))
#define COMMAND(i) (KERNEL_BASE + 0xa800 + 0x100 * (uint64_t)(i))

/* Two events, the second without a trigger; of the first, a stack trace, and two tables. */
static void make_instance(void)
{
	const uint64_t files[] = { TRACE_FILE(0), TRACE_FILE(1) };
	const uint64_t triggers[] = { TRIGGER(0), TRIGGER(1), TRIGGER(2) };
	const struct type *list;
	struct type *s;

	make();
	list = kernel_list_type(&k);
	s = kernel_struct(&k, "trace_array", 64);
	kernel_member(s, "events", list, 32);
	s = kernel_struct(&k, "trace_event_file", 64);
	kernel_member(s, "list", list, 0);
	kernel_member(s, "event_call", &k.ptr, 16);
	kernel_member(s, "triggers", list, 32);
	s = kernel_struct(&k, "event_trigger_data", 96);
	kernel_member(s, "list", list, 0);
	kernel_member(s, "cmd_ops", &k.ptr, 16);
	kernel_member(s, "private_data", &k.ptr, 24);
	kernel_member(s, "paused", &k.u8, 32);
	kernel_member(s, "name", &k.ptr, 40);
	kernel_member(s, "filter_str", &k.ptr, 48);
	WORDS(&k, "event_command", "list", "name");
	put_list(&k, TRACE_ARRAY + 32, files, 2);
	put_list(&k, TRACE_FILE(0) + 32, triggers, 3);
	put_list(&k, TRACE_FILE(1) + 32, NULL, 0);
	for (unsigned i = 0; i < 3; i++) {
		put64(&k, TRIGGER(i) + 16, COMMAND(i > 0));
		put64(&k, TRIGGER(i) + 24, HIST_DATA);
	}
	put64(&k, COMMAND(0) + 8, HIST_TEXT + 80);
	put64(&k, COMMAND(1) + 8, HIST_TEXT + 96);
	put_str(&k, HIST_TEXT + 80, "stacktrace");
	put_str(&k, HIST_TEXT + 96, "hist");
	k.mem[TRIGGER(1) - KERNEL_BASE + 32] = 1;
	put64(&k, TRIGGER(2) + 40, HIST_TEXT + 112);
	put64(&k, TRIGGER(2) + 48, HIST_TEXT + 128);
	put_str(&k, HIST_TEXT + 112, "mine");
	put_str(&k, HIST_TEXT + 128, "pid > 4");
}

struct tables {
	unsigned n, stop, notes;
	char triggers[2][128];
	bool paused[2];
};

static bool saw_table(const struct hist_table *h, void *arg)
{
	struct tables *s = arg;

	CHECK_U64(h->n_entries, 3);
	if (s->n < 2) {
		snprintf(s->triggers[s->n], sizeof(s->triggers[0]), "%s", h->trigger);
		s->paused[s->n] = h->paused;
	}
	return ++s->n != s->stop;
}

static void note_table(const struct err *e, void *arg)
{
	struct tables *s = arg;

	s->notes++;
	CHECK(*e->msg);
}

#define TABLE_TEXT "keys=pid:vals=hitcount,bytes:sort=bytes.descending,pid:size=8"

TEST(tables_of_an_instance)
{
	const struct trace_array tr = { .addr = TRACE_ARRAY };
	struct tables s = { 0 };
	struct err err;

	make_instance();
	CHECK_OK(hists_each(&k.t, &tr, saw_table, note_table, &s, &err), err);
	CHECK(s.n == 2 && !s.notes);
	CHECK_STR(s.triggers[0], "hist:" TABLE_TEXT);
	CHECK_STR(s.triggers[1], "hist:mine:" TABLE_TEXT " if pid > 4");
	CHECK(s.paused[0] && !s.paused[1]);
	/* told to stop */
	s = (struct tables){ .stop = 1 };
	CHECK_OK(hists_each(&k.t, &tr, saw_table, note_table, &s, &err), err);
	CHECK(s.n == 1 && !s.notes);
	/* a table that is nowhere costs itself; so does a list of triggers that breaks */
	put64(&k, TRIGGER(1) + 24, KERNEL_BASE + KERNEL_SIZE);
	s = (struct tables){ 0 };
	CHECK_OK(hists_each(&k.t, &tr, saw_table, note_table, &s, &err), err);
	CHECK(s.n == 1 && s.notes == 1);
	put64(&k, TRIGGER(1), KERNEL_BASE + KERNEL_SIZE);
	s = (struct tables){ 0 };
	CHECK_OK(hists_each(&k.t, &tr, saw_table, note_table, &s, &err), err);
	CHECK(s.n == 0 && s.notes == 2);
	s = (struct tables){ 0 };
	CHECK_OK(hists_each(&k.t, &tr, saw_table, NULL, &s, &err), err);
	CHECK(s.n == 0 && !s.notes);
	kernel_release(&k);
}

/* Of what cannot be read nobody knows that it is no table. */
TEST(triggers_that_may_be_tables)
{
	const uint64_t files[] = { KERNEL_BASE + 0xbfe0, TRACE_FILE(1) };
	const struct trace_array tr = { .addr = TRACE_ARRAY };
	struct tables s = { 0 };
	struct err err;

	make_instance();
	put64(&k, COMMAND(0) + 8, KERNEL_BASE + KERNEL_SIZE); /* its name */
	CHECK_OK(hists_each(&k.t, &tr, saw_table, note_table, &s, &err), err);
	CHECK(s.n == 2 && s.notes == 1);
	put64(&k, TRIGGER(0) + 16, 0); /* who it is served by */
	s = (struct tables){ 0 };
	CHECK_OK(hists_each(&k.t, &tr, saw_table, note_table, &s, &err), err);
	CHECK(s.n == 2 && s.notes == 1);
	/* the list's head itself, on a page that the dump lacks */
	put_list(&k, TRACE_ARRAY + 32, files, 2);
	k.holes = 1 << 0xc;
	s = (struct tables){ 0 };
	CHECK_OK(hists_each(&k.t, &tr, saw_table, note_table, &s, &err), err);
	CHECK(s.n == 0 && s.notes == 1);
	kernel_release(&k);
}

TEST(sizes_that_cannot_be_are_refused)
{
	struct hist_table h = { 0 };
	struct err err = { 0 };

	make();
	put32(&k, HIST_MAP + 8, 0x80000000);
	CHECK(!hist_read(&k.t, HIST_DATA, &h, NULL, NULL, &err) && err.code == ERR_CORRUPT);
	put32(&k, HIST_MAP + 8, 1000); /* more slots than pages hold */
	CHECK(!hist_read(&k.t, HIST_DATA, &h, NULL, NULL, &err) && err.code == ERR_CORRUPT);
	put32(&k, HIST_MAP + 8, 16);
	put32(&k, HIST_DATA + 196, 1 << 30); /* the key's size */
	CHECK(!hist_read(&k.t, HIST_DATA, &h, NULL, NULL, &err) && err.code == ERR_CORRUPT);
	put32(&k, HIST_DATA + 196, 8);
	put32(&k, HIST_DATA + 200, 77); /* sorted by a field that is not there */
	CHECK(!hist_read(&k.t, HIST_DATA, &h, NULL, NULL, &err) && err.code == ERR_CORRUPT);
	put32(&k, HIST_DATA + 200, 1);
	put32(&k, HIST_DATA + 180, 4000); /* keys */
	CHECK(!hist_read(&k.t, HIST_DATA, &h, NULL, NULL, &err) && err.code == ERR_CORRUPT);
	put32(&k, HIST_DATA + 180,
	      0); /* a trigger without "keys=" is not taken (hist_trigger_attrs) */
	CHECK(!hist_read(&k.t, HIST_DATA, &h, NULL, NULL, &err) && err.code == ERR_CORRUPT);
	kernel_release(&k);
}

TEST_MAIN
