/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Phrases beside libtraceevent: both print the same records by the same print_fmts. */
#include <traceevent/event-parse.h>
/* its enumerators of these names would clash with those of trace.h, which are the same */
#include "core/trace/print/phrase.h"

#include <string.h>

#include "core/base/test.h"
#include "core/image/target.h"
#include "core/trace/format.h"
#include "core/trace/print/print_fmt.h"

#define ROUNDS 300u

static const struct recording_ops no_ops = { 0 };

struct beside {
	struct target t;
	struct arena scratch, a;
	struct recording rec;
	struct trace_format format;
	struct tep_handle *tep;
	struct tep_event *event;
	struct trace_seq seq;
	uint64_t seed;
};

static bool beside_init(struct beside *s, const char *text, size_t n, bool big)
{
	struct buf digest = { 0 };
	struct err err;

	*s = (struct beside){ .seed = 88172645463325252u };
	target_init(&s->t, &s->scratch);
	s->rec = (struct recording){
		.t = &s->t, .origin = "made", .word_size = 8, .big_endian = big, .ops = &no_ops
	};
	s->tep = tep_alloc();
	tep_set_loglevel(TEP_LOG_NONE);
	tep_set_long_size(s->tep, 8);
	tep_set_file_bigendian(s->tep, big ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_local_bigendian(s->tep, tep_is_bigendian() ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	trace_seq_init(&s->seq);
	if (trace_format_parse(SPAN(text, n), "made", &s->a, &s->format, &err) &&
	    s->format.print_fmt && trace_format_bounded(&s->format, &err) &&
	    trace_fmt_digest(&s->a, &s->rec, &s->format, false, &digest, &err) &&
	    !tep_parse_event(s->tep, buf_text(&digest), digest.n, "made"))
		s->event = tep_find_event(s->tep, s->format.id);
	buf_release(&digest);
	return s->event && !(s->event->flags & TEP_EVENT_FL_FAILED);
}

static void beside_release(struct beside *s)
{
	trace_seq_destroy(&s->seq);
	tep_free(s->tep);
	arena_release(&s->a);
	target_release(&s->t);
	arena_release(&s->scratch);
}

static uint64_t next_random(struct beside *s)
{
	s->seed ^= s->seed << 13;
	s->seed ^= s->seed >> 7;
	return s->seed ^= s->seed << 17;
}

static void store(const struct beside *s, uint8_t *p, uint64_t v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		p[i] = (uint8_t)(v >> 8 * (s->rec.big_endian ? n - 1 - i : i));
}

/* A record of numbers that are small as often as large, and of short texts. */
static size_t make_record(struct beside *s, uint8_t *p, size_t room)
{
	size_t n = 8, tail;

	memset(p, 0, room);
	for (size_t i = 0; i < s->format.n_fields; i++)
		if (s->format.fields[i].offset + s->format.fields[i].size > n)
			n = s->format.fields[i].offset + s->format.fields[i].size;
	tail = n = (n + 7) / 8 * 8;
	for (size_t i = 0; i < s->format.n_fields; i++) {
		const struct trace_field *f = &s->format.fields[i];
		uint64_t v = next_random(s);

		if (f->is_common)
			continue;
		if (v & 1)
			v = v >> 1 & 15;
		else if (v & 2)
			v = (uint64_t)1 << (v >> 2 & 63);
		if (f->is_dynamic || f->is_relative || (f->is_text_address && f->size == 8)) {
			size_t len = 1 + (v & 7), from = f->is_relative ? f->offset + 4 : 0;

			for (size_t k = 0; k + 1 < len; k++)
				p[tail + k] = (uint8_t)('a' + (next_random(s) & 15));
			store(s, p + f->offset, len << 16 | (tail - from), 4);
			tail += 8;
		} else if (f->is_string) {
			for (size_t k = 0; k < f->size && k < (v & 31); k++)
				p[f->offset + k] = (uint8_t)('A' + (v >> k & 7));
		} else if (f->size <= 8) {
			store(s, p + f->offset, v, f->size);
		} else {
			for (size_t k = 0; k < f->size; k++)
				p[f->offset + k] = (uint8_t)next_random(s);
		}
	}
	store(s, p, s->format.id, 2);
	return tail;
}

/* Returns how many of some records both print alike; -1: there is no phrase for the format. */
static int rounds_alike(struct beside *s)
{
	struct phrase *ph = phrase_compile(s->event, &s->rec, &s->a);
	int alike = 0;

	for (unsigned i = 0; ph && i < ROUNDS; i++) {
		uint8_t bytes[8192];
		size_t n = make_record(s, bytes, sizeof(bytes));
		struct tep_record record = { .data = bytes, .size = (int)n, .record_size = (int)n };
		struct buf b = { 0 };

		trace_seq_reset(&s->seq);
		tep_print_event(s->tep, &s->seq, &record, "%s", TEP_PRINT_INFO);
		while (s->seq.len && s->seq.buffer[s->seq.len - 1] == '\n')
			s->seq.len--;
		s->seq.buffer[s->seq.len] = '\0';
		if (phrase_put(ph, &b, SPAN(bytes, n)) && !strcmp(buf_text(&b), s->seq.buffer))
			alike++;
		else if (alike == (int)i)
			printf("  %s: '%s', and a phrase has '%s'\n", s->format.name, s->seq.buffer,
			       buf_text(&b));
		buf_release(&b);
	}
	return ph ? alike : -1;
}

#define COMMON                                                                         \
	"name: made\nID: 300\nformat:\n"                                               \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"         \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"         \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"                     \
	"\n"                                                                           \
	"\tfield:int i;\toffset:8;\tsize:4;\tsigned:1;\n"                              \
	"\tfield:unsigned int u;\toffset:12;\tsize:4;\tsigned:0;\n"                    \
	"\tfield:u64 q;\toffset:16;\tsize:8;\tsigned:0;\n"                             \
	"\tfield:short h;\toffset:24;\tsize:2;\tsigned:1;\n"                           \
	"\tfield:u8 c;\toffset:26;\tsize:1;\tsigned:0;\n"                              \
	"\tfield:bool yes;\toffset:27;\tsize:1;\tsigned:0;\n"                          \
	"\tfield:__data_loc char[] who;\toffset:28;\tsize:4;\tsigned:1;\n"             \
	"\tfield:__rel_loc char[] near;\toffset:32;\tsize:4;\tsigned:1;\n"             \
	"\tfield:char comm[16];\toffset:36;\tsize:16;\tsigned:1;\n"                    \
	"\tfield:unsigned long args[3];\toffset:56;\tsize:24;\tsigned:0;\n"            \
	"\tfield:long l;\toffset:80;\tsize:8;\tsigned:1;\n"                            \
	"\tfield:void * at;\toffset:88;\tsize:8;\tsigned:0;\n"                         \
	"\nprint fmt: "

#define FLAGS "{ 0x1, \"A\" }, { 0x2UL, \"B\" }, { 0xc, \"CD\" }, { (1UL << 31), \"HIGH\" }"
#define STATES "{ 0, \"zero\" }, { 1, \"one\" }, { 7, \"seven\" }"

/* What kernels have, and what printf() could be told. */
static const char *const print_fmts[] = {
	"\"i=%d u=%u q=%llu q=%llx h=%d c=%u l=%ld l=%lu\", REC->i, REC->u, REC->q, REC->q, REC->h, "
	"REC->c, REC->l, REC->l",
	"\"[%5d] [%-5d] [%05d] [%.3d] [%8.4d] [%-8.4d]\", REC->i, REC->i, REC->i, REC->i, "
	"REC->i, REC->i",
	"\"[%x] [%X] [%#x] [%#06x] [%08lx] [%016llx] [%-10x] [%o] [%#o]\", REC->u, REC->u, REC->u, "
	"REC->u, REC->l, REC->q, REC->u, REC->u, REC->u",
	"\"[%hd] [%hhu] [%hhx] [%hu] [%zu] [%zx] [%Lu] [%i]\", REC->i, REC->i, REC->i, REC->i, REC->l, "
	"REC->l, REC->q, REC->i",
	"\"[%#.4x] [%#8x] [%-#8x] [%.0d] [%5u%%]\", REC->u, REC->c, REC->c, REC->c, REC->c",
	"\"%s comm=%s [%16s] [%-16s] [%.2s] [%-6.3s] near=%s\", __get_str(who), REC->comm, REC->comm, "
	"REC->comm, REC->comm, __get_str(who), __get_rel_str(near)",
	"\"%s|%s|%s\", __print_flags(REC->u, \"|\", " FLAGS "), "
	"__print_flags(REC->q & 0xff, \"\", " FLAGS "), __print_flags(REC->c, \", \", " FLAGS ")",
	"\"%s [%-8s] %s\", __print_symbolic(REC->c, " STATES "), __print_symbolic(REC->i, " STATES
	"), __print_symbolic(REC->u & 7, " STATES ")",
	"\"%s%s %s\", REC->yes ? \"yes\" : \"no\", (REC->u & 0xf) ? __print_flags(REC->u & 0xf, \"|\", " FLAGS
	") : \"none\", REC->c > 3 ? (REC->c > 100 ? \"much\" : \"more\") : \"few\"",
	"\"%d %d %d %d %llu %llu\", (REC->i + REC->u) * 3, REC->u - REC->i, REC->u >> 4, REC->c << 3, "
	"REC->q | 0x10, REC->q & ~REC->u",
	"\"%d %d %d %d %d %d %d\", REC->u == 4, REC->u != 4, REC->c < 9, REC->c <= 8, REC->c > 8, "
	"REC->c >= 8, !REC->yes",
	"\"%d %d %d %u %u\", REC->c && REC->u, REC->c || REC->u, REC->yes ? REC->c : -1, REC->q / 1000, "
	"REC->q % 1000",
	"\"%llu %lld %u %d %lx %d\", (unsigned long long)(u8)REC->q, (s64)(short)REC->q, "
	"(unsigned int)REC->q, (int)REC->q, (unsigned long)(unsigned char)REC->l, (u16)REC->u",
	"\"%lx %lu %d %p %p\", REC->args[0], REC->args[2], REC->args[1] == 4, REC->at, "
	"REC->args[1]",
	"\"%d,%d %u:%u len=%d\\n\", ((unsigned int) ((REC->u) >> 20)), ((unsigned int) ((REC->u) & ((1U "
	"<< 20) - 1))), REC->u, REC->c, __get_dynamic_array_len(who)",
	"\"a\\tb \\\"quoted\\\" 100%% %d\", REC->c % 64 + 33",
	"\"%ps %pS %pf\", REC->at, (void *)REC->q, (void *)REC->l",
	"\"no argument\"",
};

TEST(phrases_are_what_the_library_prints)
{
	for (size_t i = 0; i < 2 * ARRAY_SIZE(print_fmts); i++) {
		struct buf text = { 0 };
		struct beside s;

		buf_printf(&text, "%s%s\n", COMMON, print_fmts[i / 2]);
		CHECK(beside_init(&s, buf_text(&text), text.n, i % 2));
		if (s.event && !CHECK(rounds_alike(&s) == ROUNDS))
			printf("  %s\n", print_fmts[i / 2]);
		beside_release(&s);
		buf_release(&text);
	}
}

TEST_MAIN
