/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of how records look: templates, tables, pairs, JSON. */
#include <stdlib.h>
#include <time.h>

#include "core/base/test.h"
#include "core/base/vec.h"
#include "core/shell/render/cell.h"

enum {
	F_N,
	F_NAME,
	F_ADDR,
	F_ON,
	F_TIME,
	F_SIZE,
	F_HEX,
	F_TAGS,
	F_GAP,
	F_LOAD,
	F_FIELDS
};
static const struct record_field fields[F_FIELDS] = {
	[F_N] = { "n", NULL, CELL_INT, FIELD_RIGHT, "" },
	[F_NAME] = { "name", NULL, CELL_STR, 0, "" },
	[F_ADDR] = { "addr", "ADDRESS", CELL_ADDR, 0, "" },
	[F_ON] = { "on", NULL, CELL_BOOL, FIELD_JSON, "" },
	[F_TIME] = { "time_ns", NULL, CELL_TIME, FIELD_JSON, "" },
	[F_SIZE] = { "size", NULL, CELL_SIZE, FIELD_JSON, "" },
	[F_HEX] = { "mask", NULL, CELL_HEX, FIELD_JSON, "" },
	[F_TAGS] = { "tags", NULL, CELL_STRS, FIELD_JSON, "" },
	[F_LOAD] = { "load", NULL, CELL_DECIMAL, FIELD_JSON, "" },
	[F_GAP] = { "gap_here", NULL, CELL_UINT, 0, "" },
};
static const struct record_kind table = { "row", "", LAYOUT_TABLE, NULL, fields, F_FIELDS };
static const struct record_kind pairs = { "facts", "", LAYOUT_PAIRS, NULL, fields, F_FIELDS };

struct fixture {
	struct sink sink;
	struct buf text;
};

static bool keep(void *self, const char *s, size_t n)
{
	buf_add(self, s, n);
	return true;
}

static void begin(struct fixture *f, const struct sink_ops *ops)
{
	memset(f, 0, sizeof(*f));
	f->sink.ops = ops;
	f->sink.write = keep;
	f->sink.self = &f->text;
}

static void end(struct fixture *f)
{
	f->sink.ops->release(&f->sink);
	buf_release(&f->text);
}

static void fill(struct record *r, const struct record_kind *kind, int n, const char *name)
{
	record_init(r, kind);
	record_int(r, F_N, n);
	record_str(r, F_NAME, name);
	record_uint(r, F_ADDR, 0xffff888000001000 + (uint64_t)n);
	record_bool(r, F_ON, n == 1);
	record_uint(r, F_TIME, 12345678901);
	record_uint(r, F_SIZE, 16384);
	record_uint(r, F_HEX, 31);
}

static const struct {
	const char *line, *want;
} templates[] = {
	{ "plain", "plain" },
	{ "#{n} {name}", "#1 init" },
	{ "{n:4}|{n:-4}|{name:2}", "   1|1   |init" },
	{ "{addr} {mask}", "ffff888000001001 0x1f" },
	{ "{time_ns} {size} {on}", "[   12.345678] 16 KB yes" },
	{ "{{x}} {{{n}", "{x}} {1" },
	{ "a{?name: [{name}]}b", "a [init]b" },
	{ "a{?gap_here: [{gap_here}]}b", "ab" },
	{ "{?on:on}{?gap_here:{?on:never}}!", "on!" },
	{ "{?on:{?name:both {name}}}!", "both init!" },
	{ "{gap_here} {nosuch}", "- -" },
	{ "{tags}{?tags:x}", "a, b"
			     "x" },
	/* a broken template does no harm */
	{ "{", "-" },
	{ "{n", "1" },
	{ "{?on:x", "x" },
	{ "{?", "" },
	{ "{n:}", "1" },
	{ "{n:99999999999}", NULL },
	{ "}", "}" },
};

TEST(templates_are_filled)
{
	static const char *const tags[] = { "a", "b" };
	struct fixture f;
	struct record r;

	begin(&f, &render_text);
	fill(&r, &table, 1, "init");
	record_strs(&r, F_TAGS, tags, 2);
	for (size_t i = 0; i < ARRAY_SIZE(templates); i++) {
		struct buf b = { 0 };

		template_render(&b, &f.sink, &r, templates[i].line);
		if (templates[i].want && !CHECK_STR(buf_text(&b), templates[i].want))
			printf("  template \"%s\"\n", templates[i].line);
		buf_release(&b);
	}
	end(&f);
}

TEST(tables_are_aligned_without_trailing_blanks)
{
	struct fixture f;
	struct record r;
	struct err err;

	begin(&f, &render_text);
	fill(&r, &table, 1, "init");
	f.sink.ops->record(&f.sink, &r);
	fill(&r, &table, 1000, NULL);
	record_uint(&r, F_GAP, 7);
	f.sink.ops->record(&f.sink, &r);
	CHECK_U64(f.text.n, 0); /* until its end, a table has no widths */
	err_set_addr(&err, ERR_EXCLUDED, 0x1000, "page 0x1000 is excluded");
	f.sink.ops->note(&f.sink, &err);
	fill(&r, &table, 3, "x\033[2Jy");
	f.sink.ops->record(&f.sink, &r);
	f.sink.ops->flush(&f.sink);
	CHECK_STR(buf_text(&f.text), "   N  NAME       ADDRESS           GAP HERE\n"
				     "   1  init       ffff888000001001  -\n"
				     "1000  -          ffff8880000013e8  7\n"
				     "   3  x\\x1b[2Jy  ffff888000001003  -\n"
				     "note: page 0x1000 is excluded\n");
	end(&f);
}

/* A name that a dump's damage made: valid UTF-8, which no locale of a table's layout may stumble
 * over. */
TEST(tables_of_odd_characters_end)
{
	struct fixture f;
	struct record r;

	begin(&f, &render_text);
	fill(&r, &table, 1, " \xc3\x8bz\xdf\x89");
	f.sink.ops->record(&f.sink, &r);
	f.sink.ops->flush(&f.sink);
	CHECK_STR(buf_text(&f.text), "N  NAME                ADDRESS           GAP HERE\n"
				     "1   \\xc3\\x8bz\\xdf\\x89  ffff888000001001  -\n");
	end(&f);
}

TEST(pairs_have_labels_on_the_right)
{
	static const char *const said[] = { "one", "two\nthree" };
	static struct record_field more[F_FIELDS + 1] = { [F_FIELDS] = { "said", NULL, CELL_STRS,
									 FIELD_LINES, "" } };
	static const struct record_kind with_said = { "facts", "",   LAYOUT_PAIRS,
						      NULL,    more, F_FIELDS + 1 };
	struct fixture f;
	struct record r;

	memcpy(more, fields, sizeof(fields));
	begin(&f, &render_text);
	fill(&r, &with_said, 1, "two\nlines");
	record_strs(&r, F_FIELDS, said, 2);
	f.sink.ops->record(&f.sink, &r);
	f.sink.ops->flush(&f.sink);
	CHECK_STR(buf_text(&f.text), "       N: 1\n"
				     "    NAME: two\\nlines\n"
				     " ADDRESS: ffff888000001001\n"
				     "GAP HERE: -\n"
				     "    SAID: one\n"
				     "          two\\nthree\n");
	end(&f);
}

TEST(absent_memory_is_named_in_its_place)
{
	struct fixture f;
	struct record r;
	struct err err;

	begin(&f, &render_text);
	fill(&r, &table, 1, "x");
	err_set_addr(&err, ERR_TRUNCATED, 0xffff888000002000, "whatever");
	record_absent(&r, F_NAME, &err);
	struct buf b = { 0 };
	template_render(&b, &f.sink, &r, "{name}{?name:!}");
	CHECK_STR(b.s, "<cut off with the file 0xffff888000002000>!");
	buf_release(&b);
	end(&f);
}

TEST(json_is_one_object_a_line)
{
	static const char *const tags[] = { "a\"b" };
	struct fixture f;
	struct record r;
	struct err err;

	begin(&f, &render_json);
	fill(&r, &table, -1, "tab\t\"quote\" \\ \n\x01\xff \xc3\xa9");
	record_strs(&r, F_TAGS, tags, 1);
	f.sink.ops->record(&f.sink, &r);
	CHECK_STR(buf_text(&f.text),
		  "{\"record\":\"row\",\"n\":-1,\"name\":\"tab\\t\\\"quote\\\" \\\\ "
		  "\\n\\u0001\\u00ff \xc3\xa9\",\"addr\":\"0xffff888000000fff\",\"on\":false,"
		  "\"time_ns\":12345678901,\"size\":16384,\"mask\":\"0x1f\",\"tags\":[\"a\\\"b\"],"
		  "\"gap_here\":null,\"load\":null}\n");
	buf_reset(&f.text);
	err_set_addr(&err, ERR_EXCLUDED, 0x1000, "page \"x\"");
	f.sink.ops->note(&f.sink, &err);
	err_set(&err, ERR_NEED, "more");
	f.sink.ops->note(&f.sink, &err);
	f.sink.ops->text(&f.sink, "one\ntwo\n");
	CHECK_STR(
		buf_text(&f.text),
		"{\"record\":\"note\",\"reason\":\"excluded\",\"addr\":\"0x1000\",\"text\":\"page "
		"\\\"x\\\"\"}\n"
		"{\"record\":\"note\",\"reason\":\"need\",\"addr\":null,\"text\":\"more\"}\n"
		"{\"record\":\"text\",\"text\":\"one\"}\n{\"record\":\"text\",\"text\":\"two\"}\n");
	buf_reset(&f.text);
	fill(&r, &table, 1, "x");
	record_absent(&r, F_N, &err);
	record_absent(&r, F_NAME, &(struct err){ ERR_UNMAPPED, 0x10, "" });
	f.sink.ops->record(&f.sink, &r);
	CHECK_CONTAINS(buf_text(&f.text), "\"n\":{\"absent\":\"need\",\"addr\":null},\"name\":"
					  "{\"absent\":\"unmapped\",\"addr\":\"0x10\"}");
	end(&f);
}

TEST(a_field_that_is_not_declared_is_dropped)
{
	struct record r;

	record_init(&r, &table);
	record_uint(&r, F_FIELDS, 1);
	record_str(&r, 4000, "x");
	CHECK(r.cells[F_GAP].kind == CELL_NULL);
}

/* A record of a name that begins a line and commands a terminal, in each layout. Only what a field
 * declares as lines may have them: the name of a task must not look like a row of its own. */
TEST(names_of_the_dead_kernel_stay_in_their_line)
{
	static const struct record_field lines[] = { { "n", NULL, CELL_STR, FIELD_LINES, "" } };
	static const struct record_kind one = { "one", "", LAYOUT_LINE, "{n}", fields, F_FIELDS };
	static const struct record_kind many = { "many", "", LAYOUT_LINE, "{n}", lines, 1 };
	static const char evil[] = "a\nforged\t\033[2J\xc2\x9b\xe2\x80\xae\xc3\xa9\xff";
	static const char *const strs[] = { "x\ny", "z" };
	struct record_kind line = one;
	struct fixture f;
	struct record r;

	begin(&f, &render_text);
	line.line = "{name} {tags}";
	fill(&r, &line, 1, evil);
	record_strs(&r, F_TAGS, strs, 2);
	f.sink.ops->record(&f.sink, &r);
	CHECK_STR(buf_text(&f.text),
		  "a\\nforged\\t\\x1b[2J\\xc2\\x9b\\xe2\\x80\\xae\xc3\xa9\\xff x\\ny, z\n");
	buf_reset(&f.text);
	fill(&r, &table, 1, "a\nforged");
	f.sink.ops->record(&f.sink, &r);
	f.sink.ops->flush(&f.sink);
	CHECK_CONTAINS(buf_text(&f.text), "\n1  a\\nforged  ");
	buf_reset(&f.text);
	record_init(&r, &many);
	record_str(&r, 0, "a\n\tb\r\033");
	f.sink.ops->record(&f.sink, &r);
	CHECK_STR(buf_text(&f.text), "a\n\tb\\r\\x1b\n");
	buf_reset(&f.text);
	f.sink.ops->text(&f.sink, "a\n\033[1m");
	CHECK_STR(buf_text(&f.text), "a\n\\x1b[1m\n");
	end(&f);
}

TEST(decimals_are_numbers)
{
	static const struct {
		unsigned hundredths;
		const char *text, *json;
	} want[] = { { 0, "0.0", "\"load\":0.0" },      { 24, "0.24", "\"load\":0.24" },
		     { 5, "0.05", "\"load\":0.05" },    { 40, "0.4", "\"load\":0.4" },
		     { 1000, "10.0", "\"load\":10.0" }, { 1203, "12.03", "\"load\":12.03" } };

	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		struct fixture f;
		struct buf b = { 0 };
		struct record r;

		begin(&f, &render_json);
		record_init(&r, &pairs);
		record_uint(&r, F_LOAD, want[i].hundredths);
		f.sink.ops->record(&f.sink, &r);
		CHECK_CONTAINS(buf_text(&f.text), want[i].json);
		cell_to_text(&b, &f.sink, &r, &fields[F_LOAD], &r.cells[F_LOAD]);
		CHECK_STR(buf_text(&b), want[i].text);
		buf_release(&b);
		end(&f);
	}
}

/* ---- text forms: facts are cells, and what people read of them is the kind's own */

static void load_form(struct buf *b, const struct sink *k, const struct record *r,
		      const struct cell *cell)
{
	(void)k;
	buf_printf(b, "%llu of %lld\n\033", (unsigned long long)cell->u, (long long)r->cells[0].i);
}

static void own_form(struct buf *b, const struct sink *k, const struct record *r,
		     const struct cell *cell)
{
	(void)k, (void)cell;
	if (r->cells[0].i)
		buf_printf(b, "first %s\nsecond \033\n", (const char *)r->of);
}

static void complete(struct record *r)
{
	record_str(r, 1, r->of);
}

static const struct record_field form_fields[] = {
	{ "n", NULL, CELL_INT, 0, "" },
	{ "name", NULL, CELL_STR, FIELD_JSON, "" },
	{ "load", NULL, CELL_UINT, 0, "", .text = load_form },
	{ "took", NULL, CELL_DURATION, 0, "" },
	{ "at", NULL, CELL_DATE, 0, "" },
	{ "rss", NULL, CELL_KIB, 0, "" },
};
static const struct record_kind form_line = { "form",      "",
					      LAYOUT_LINE, "{n}: {load} {took} {at} {rss}",
					      form_fields, ARRAY_SIZE(form_fields) };
static const struct record_kind form_own = { "form",           "",
					     LAYOUT_OWN,       NULL,
					     form_fields,      ARRAY_SIZE(form_fields),
					     .text = own_form, .complete = complete };
static const struct record_kind form_heading = { "form",
						 "",
						 LAYOUT_LINE,
						 "-- {n} --",
						 form_fields,
						 ARRAY_SIZE(form_fields),
						 .is_heading = true };

static void check_form(const struct sink_ops *ops, const struct record_kind *kind, int n,
		       const char *want)
{
	struct fixture f;
	struct record r;

	begin(&f, ops);
	record_init(&r, kind);
	r.of = "what";
	record_int(&r, 0, n);
	record_uint(&r, 2, 7);
	record_uint(&r, 3, 72345678901);
	record_uint(&r, 4, 1795388066000000000);
	record_uint(&r, 5, 20480);
	f.sink.ops->record(&f.sink, &r);
	CHECK_STR(buf_text(&f.text), want);
	end(&f);
}

static void check_date(int64_t ns, const char *text, const char *json)
{
	struct fixture f;
	struct buf b = { 0 }, want = { 0 };
	struct record r;

	setenv("TZ", "UTC", 1);
	tzset();
	begin(&f, &render_json);
	record_init(&r, &form_line);
	record_int(&r, 4, ns);
	cell_to_text(&b, &f.sink, &r, &form_fields[4], &r.cells[4]);
	CHECK_STR(buf_text(&b), text);
	f.sink.ops->record(&f.sink, &r);
	buf_printf(&want, "\"at\":%s,", json);
	CHECK_CONTAINS(buf_text(&f.text), buf_text(&want));
	buf_release(&b);
	buf_release(&want);
	end(&f);
}

TEST(forms_of_text)
{
	static const char json[] =
		"{\"record\":\"form\",\"n\":1,\"name\":%s,\"load\":7,"
		"\"took\":72345678901,\"at\":1795388066000000000,\"rss\":20480}\n";
	struct buf b = { 0 };

	setenv("TZ", "UTC", 1);
	tzset();
	check_form(&render_text, &form_line, 1,
		   "1: 7 of 1\\n\\x1b 0 00:01:12.345 Sun Nov 22 22:54:26 UTC 2026 20\n");
	buf_printf(&b, json, "null");
	check_form(&render_json, &form_line, 1, buf_text(&b));
	/* lines of its own, and what costs something only where it is shown */
	check_form(&render_text, &form_own, 1, "first what\nsecond \\x1b\n");
	check_form(&render_text, &form_own, 0, "");
	buf_reset(&b);
	buf_printf(&b, json, "\"what\"");
	check_form(&render_json, &form_own, 1, buf_text(&b));
	check_form(&render_text, &form_heading, 1, "-- 1 --\n");
	check_form(&render_json, &form_heading, 1, "");
	buf_release(&b);
}

/* In a tree a line stands deeper; a table without its head has the rows that it has below one. */
TEST(indent_and_headless)
{
	struct fixture f;
	struct record r;

	begin(&f, &render_text);
	record_init(&r, &form_line);
	r.indent = 2;
	f.sink.ops->record(&f.sink, &r);
	CHECK_STR(buf_text(&f.text), "  -: 0 of 0\\n\\x1b - - -\n");
	buf_reset(&f.text);
	for (int i = 0; i < 2; i++) {
		fill(&r, &table, 1, "x");
		r.headless = i;
		f.sink.ops->record(&f.sink, &r);
		f.sink.ops->flush(&f.sink);
	}
	CHECK_STR(buf_text(&f.text), "N  NAME  ADDRESS           GAP HERE\n"
				     "1  x     ffff888000001001  -\n"
				     "1  x     ffff888000001001  -\n");
	end(&f);
}

/* What is made in one place and printed in another looks as if one had done both: rows in columns
 * with those before them, a blank line between pairs and no other, notes behind their table. */
TEST(what_is_made_elsewhere_is_printed_alike)
{
	const struct record_kind *const kinds[] = { &table,     &table,    &pairs, &pairs,
						    &form_line, &form_own, &table, &form_heading,
						    &table,     &pairs };
	const struct sink_ops *const ops[] = { &render_text, &render_json };

	for (size_t o = 0; o < ARRAY_SIZE(ops); o++) {
		struct fixture once, here, there;
		struct buf made = { 0 };
		struct err why = { .msg = "why" };

		begin(&once, ops[o]);
		begin(&here, ops[o]);
		begin(&there, ops[o]);
		for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
			bool form = kinds[i]->n_fields != F_FIELDS;
			struct record r;

			if (form)
				record_init(&r, kinds[i]);
			else
				fill(&r, kinds[i], (int)(i * i * i), i % 3 ? "a\nb" : "longer");
			r.of = "what";
			r.headless = i == 8;
			once.sink.ops->record(&once.sink, &r);
			buf_reset(&made);
			there.sink.ops->make(&there.sink, &r, &made);
			here.sink.ops->made(&here.sink, kinds[i], r.headless, buf_text(&made),
					    made.n);
			if (i == 6) {
				once.sink.ops->note(&once.sink, &why);
				here.sink.ops->note(&here.sink, &why);
			}
		}
		once.sink.ops->flush(&once.sink);
		here.sink.ops->flush(&here.sink);
		CHECK(once.text.n > 100);
		CHECK_STR(buf_text(&here.text), buf_text(&once.text));
		CHECK_U64(there.text.n, 0);
		buf_release(&made);
		end(&once);
		end(&here);
		end(&there);
	}
}

TEST(dates_before_1970)
{
	check_date(-1000000000, "Wed Dec 31 23:59:59 UTC 1969", "-1000000000");
	check_date(-1, "Wed Dec 31 23:59:59 UTC 1969", "-1");
	check_date(0, "Thu Jan  1 00:00:00 UTC 1970", "0");
}

TEST(unknown_says_why)
{
	struct fixture f;
	struct record r;
	struct err why;

	(void)err_set(&why, ERR_NOSYM, "no symbol '%s'", "ti\033me");
	begin(&f, &render_text);
	record_init(&r, &form_line);
	record_unknown(&r, 2, &why);
	f.sink.ops->record(&f.sink, &r);
	CHECK_STR(buf_text(&f.text), "-: (unknown: no symbol 'ti\\x1bme') - - -\n");
	end(&f);
	begin(&f, &render_json);
	f.sink.ops->record(&f.sink, &r);
	CHECK_CONTAINS(buf_text(&f.text), "\"load\":null");
	end(&f);
}

TEST_MAIN
