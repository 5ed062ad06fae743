/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of jumps out of functions with debug info by hand: which functions can be entered again by
 * jumps alone. */
#include <dwarf.h>

#include "core/arch/flat_fake.h"
#include "core/base/test.h"
#include "core/dwarf/dwarf_frame.h"
#include "core/dwarf/made_dwarf.h"

#define TEXT 0x10000u
#define SLIDE 0x100000u /* KASLR's */
#define HEAD 11         /* bytes before a unit's DIEs */
#define SIZE 0x100u     /* of each function */

enum {
	UNIT = 1,
	TELLS,   /* a function that tells of all its calls */
	SILENT,  /* and one that does not */
	TELLS_4, /* as gcc says it in DWARF 4 */
	JUMP,
	JUMP_4,
	CALL,
	BLIND,    /* a jump to what a pointer held */
	EXTERNAL, /* declared, and defined elsewhere */
	HIDDEN,   /* declared, not for other files */
	COPY      /* the code of such a one */
};

static void abbrevs(struct buf *b)
{
#define PLACE DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data4
	made_abbrev(b, UNIT, DW_TAG_compile_unit, true, (const unsigned[]){ PLACE, 0 });
	made_abbrev(b, TELLS, DW_TAG_subprogram, true,
		    (const unsigned[]){ PLACE, DW_AT_call_all_calls, DW_FORM_flag_present, 0 });
	made_abbrev(b, SILENT, DW_TAG_subprogram, true, (const unsigned[]){ PLACE, 0 });
	made_abbrev(b, TELLS_4, DW_TAG_subprogram, true,
		    (const unsigned[]){ PLACE, DW_AT_GNU_all_call_sites, DW_FORM_flag_present, 0 });
	made_abbrev(b, JUMP, DW_TAG_call_site, false,
		    (const unsigned[]){ DW_AT_call_tail_call, DW_FORM_flag_present,
					DW_AT_call_origin, DW_FORM_ref4, 0 });
	made_abbrev(b, JUMP_4, DW_TAG_GNU_call_site, false,
		    (const unsigned[]){ DW_AT_GNU_tail_call, DW_FORM_flag_present,
					DW_AT_abstract_origin, DW_FORM_ref4, 0 });
	made_abbrev(b, CALL, DW_TAG_call_site, false,
		    (const unsigned[]){ DW_AT_call_origin, DW_FORM_ref4, 0 });
	made_abbrev(b, BLIND, DW_TAG_call_site, false,
		    (const unsigned[]){ DW_AT_call_tail_call, DW_FORM_flag_present, 0 });
	made_abbrev(b, EXTERNAL, DW_TAG_subprogram, false,
		    (const unsigned[]){ DW_AT_name, DW_FORM_string, DW_AT_external,
					DW_FORM_flag_present, 0 });
	made_abbrev(b, HIDDEN, DW_TAG_subprogram, false,
		    (const unsigned[]){ DW_AT_name, DW_FORM_string, 0 });
	made_abbrev(b, COPY, DW_TAG_subprogram, true,
		    (const unsigned[]){ PLACE, DW_AT_call_all_calls, DW_FORM_flag_present,
					DW_AT_abstract_origin, DW_FORM_ref4, 0 });
	made_le(b, 0, 1);
#undef PLACE
}

/* The i-th function, and what it does: by letters, "b" a jump to function b, "B" one as DWARF 4
 * says it, "(b" a call, "?" a jump by a pointer, "x" a jump to the external one, "y" to the one
 * that is nowhere, "z" to the hidden one. */
struct function {
	unsigned code;
	const char *does;
};
#define FUNCS_MAX 16

static bool load_symbols(struct target *t, struct symtab *tab, struct err *err)
{
	(void)t;
	(void)err;
	*vec_push(&tab->syms) =
		(struct symbol){ .name = "external", .addr = SLIDE + TEXT + SIZE, .type = 'T' };
	*vec_push(&tab->syms) =
		(struct symbol){ .name = "_end", .addr = SLIDE + 2 * TEXT, .type = 'B' };
	return true;
}

static void put_unit(struct buf *dies, const struct function *f, size_t n)
{
	uint64_t at[FUNCS_MAX] = { 0 }, declared[3] = { 0 };

	for (unsigned pass = 0; pass < 2; pass++) { /* the second one knows where all is */
		buf_reset(dies);
		made_le(dies, UNIT, 1);
		made_le(dies, TEXT, 8);
		made_le(dies, 0x10000, 4);
		for (unsigned i = 0; i < 3; i++) {
			declared[i] = HEAD + dies->n;
			made_le(dies, i < 2 ? EXTERNAL : HIDDEN, 1);
			made_text(dies, i == 0 ? "external" : i == 1 ? "nowhere" : "hidden");
		}
		for (size_t i = 0; i < n; i++) {
			at[i] = HEAD + dies->n;
			made_le(dies, f[i].code, 1);
			made_le(dies, TEXT + i * SIZE, 8);
			made_le(dies, SIZE, 4);
			if (f[i].code == COPY)
				made_le(dies, declared[2], 4);
			for (const char *p = f[i].does; *p; p++) {
				bool call = *p == '(', old = *p >= 'A' && *p <= 'Z';
				char to = old ? (char)(*p - 'A' + 'a') : call ? *++p : *p;

				made_le(dies,
					to == '?' ? BLIND
					: call    ? CALL
					: old     ? JUMP_4
						  : JUMP,
					1);
				if (to >= 'x')
					made_le(dies, declared[to - 'x'], 4);
				else if (to != '?')
					made_le(dies, at[to - 'a'], 4);
			}
			made_le(dies, 0, 1);
		}
		made_le(dies, 0, 1);
	}
}

struct fixture {
	struct target t;
	struct arena scratch;
	struct arch arch;
	struct buf file;
	struct err err;
};

static void start(struct fixture *x, const struct function *f, size_t n,
		  bool (*symbols)(struct target *t, struct symtab *tab, struct err *err))
{
	struct buf dies = { 0 }, info = { 0 }, words = { 0 };

	memset(x, 0, sizeof(*x));
	put_unit(&dies, f, n);
	abbrevs(&words);
	made_unit(&info, 4, &dies);
	made_dwarf(&(struct made_sections){ .abbrev = SPAN((const uint8_t *)words.s, words.n),
					    .info = SPAN((const uint8_t *)info.s, info.n) },
		   &x->file);
	target_init(&x->t, &x->scratch);
	x->arch = arch_x86_64;
	x->arch.is_kernel_va = flat_is_kernel_va;
	x->t.arch = &x->arch;
	x->t.kaslr = SLIDE;
	symbols_add(&x->t, "test")->load = symbols;
	x->t.dwarf = dwarf_file_new(&x->t, "test");
	x->t.dwarf->path = "made";
	x->t.dwarf->image = SPAN((const uint8_t *)x->file.s, x->file.n);
	buf_release(&dies);
	buf_release(&info);
	buf_release(&words);
}

static void stop(struct fixture *x)
{
	target_release(&x->t);
	arena_release(&x->scratch);
	buf_release(&x->file);
}

/* Can the first function be entered again by jumps alone? */
static bool jumps_back(const struct function *f, size_t n)
{
	struct fixture x;
	bool back;

	start(&x, f, n, load_symbols);
	back = dwarf_jumps_back(x.t.dwarf, SLIDE + TEXT);
	CHECK(dwarf_jumps_back(x.t.dwarf, SLIDE + TEXT) == back); /* and when asked again */
	stop(&x);
	return back;
}

TEST(which_functions_are_entered_again)
{
	static const struct {
		struct function f[5];
		size_t n;
		bool back;
	} v[] = {
		{ { { TELLS, "" } }, 1, false },
		{ { { TELLS, "a" } }, 1, true },
		{ { { TELLS, "(a" } }, 1, false }, /* a call leaves a frame of its own */
		{ { { TELLS, "b" }, { TELLS, "" } }, 2, false },
		{ { { TELLS, "b" }, { TELLS, "a" } }, 2, true },
		{ { { TELLS, "bc" }, { TELLS, "c" }, { TELLS, "b" } }, 3, false },
		{ { { TELLS, "bc" }, { TELLS, "c" }, { TELLS, "ba" } }, 3, true },
		{ { { TELLS, "bbd" }, { TELLS, "c" }, { TELLS, "" }, { TELLS, "a" } }, 4, true },
		{ { { TELLS, "b" }, { TELLS, "c" }, { TELLS, "d" }, { TELLS, "(a" } }, 4, false },
		{ { { TELLS_4, "B" }, { TELLS_4, "" } }, 2, false },
		{ { { TELLS_4, "B" }, { TELLS_4, "A" } }, 2, true },
		/* in doubt it can */
		{ { { SILENT, "" } }, 1, true },
		{ { { TELLS, "b" }, { SILENT, "" } }, 2, true },
		{ { { TELLS, "?" } }, 1, true },
		{ { { TELLS, "b" }, { TELLS, "b?" } }, 2, true },
		{ { { TELLS, "y" } }, 1, true },
		/* the external one is b(), by its symbol */
		{ { { TELLS, "x" }, { TELLS, "" } }, 2, false },
		{ { { TELLS, "x" }, { TELLS, "a" } }, 2, true },
		/* the hidden one has code in its unit, or nobody knows where */
		{ { { TELLS, "z" }, { TELLS, "a" } }, 2, true },
		{ { { TELLS, "z" }, { TELLS, "a" }, { COPY, "" } }, 3, false },
		{ { { TELLS, "z" }, { TELLS, "a" }, { COPY, "b" } }, 3, true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(v); i++)
		if (!CHECK(jumps_back(v[i].f, v[i].n) == v[i].back))
			printf("  of %zu\n", i);
}

/* ---- the functions between the one that was called and the one that it came to */

/* Symbols of the functions by their letters, d's being a thunk. */
static bool load_letters(struct target *t, struct symtab *tab, struct err *err)
{
	static const char *const names[] = { "a", "b", "c", "__x86_indirect_thunk_rax", "c.cold" };

	(void)t;
	(void)err;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		*vec_push(&tab->syms) = (struct symbol){
			.name = names[i], .addr = SLIDE + TEXT + i * SIZE, .size = SIZE, .type = 't'
		};
	*vec_push(&tab->syms) =
		(struct symbol){ .name = "_end", .addr = SLIDE + 2 * TEXT, .type = 'B' };
	return true;
}

/* What the machine's code does, for the architecture below: the letter of the function that is
 * called, and of each function those that it jumps to; "." is a jump within it, a capital one
 * into the middle of another. */
static struct {
	char called;
	const char *jumps[5];
} code;

static bool calls_it(struct span bytes, uint64_t pc, uint64_t *ret)
{
	(void)bytes;
	(void)pc;
	*ret = SLIDE + TEXT + (uint64_t)(code.called - 'a') * SIZE;
	return true;
}

static bool jumps_next(struct span bytes, uint64_t addr, size_t *from, uint64_t *ret)
{
	const char *p = code.jumps[(addr - SLIDE - TEXT) / SIZE];

	(void)bytes;
	if (!p || *from >= strlen(p))
		return false;
	if (p[*from] == '.')
		*ret = addr + 8;
	else if (p[*from] < 'a')
		*ret = SLIDE + TEXT + (uint64_t)(p[*from] - 'A') * SIZE + 8;
	else
		*ret = SLIDE + TEXT + (uint64_t)(p[*from] - 'a') * SIZE;
	++*from;
	return true;
}

static bool zeros(void *self, uint64_t pa, void *buf, size_t n, struct err *err)
{
	(void)self;
	(void)pa;
	(void)err;
	memset(buf, 0, n);
	return true;
}

/* The letters of the functions between, those that are not sure in capitals; "" none. */
static void between(const struct function *f, size_t n, uint64_t pc, bool has_caller, char *ret)
{
	struct frame_at caller = { .pc = SLIDE + TEXT + 8 * SIZE },
			at = { .pc = pc, .exact = true, .caller = has_caller ? &caller : NULL };
	struct frame_source source;
	struct tail_call calls[TAIL_CALLS_MAX];
	struct fixture x;
	size_t found = 0;

	start(&x, f, n, load_letters);
	x.arch.call_target = calls_it;
	x.arch.jump_next = jumps_next;
	x.arch.mmu_init = flat_mmu_init;
	x.arch.walk = flat_walk;
	x.t.memory.phys.read = zeros;
	source = (struct frame_source){ .t = &x.t };
	if (!dwarf_frame_tail_calls(&source, &at, calls, &found, &x.err))
		CHECK_ERR(x.err, ERR_NOTFOUND);
	for (size_t i = 0; i < found; i++) {
		*ret++ = calls[i].sure ? calls[i].func[0] : (char)(calls[i].func[0] - 'a' + 'A');
		CHECK_U64((calls[i].addr - SLIDE - TEXT) / SIZE,
			  (uint64_t)(calls[i].func[0] - 'a'));
	}
	*ret = '\0';
	stop(&x);
}

/* a() was called, and c() is where it came to: by jumps in the code that debug info confirms, when
 * there is one way only; sure is what was called, and what came then if no other jump is possible.
 */
TEST(the_way_from_what_was_called)
{
	static const struct {
		const char *in_code[5], *told[4], *want;
		char called;
	} v[] = {
		{ { "b", "c" }, { "b", "c", "" }, "ab", 'a' },
		{ { "c" }, { "c", "", "" }, "a", 'a' },
		{ { ".c." }, { "c", "", "" }, "a", 'a' },
		{ { "b", "c" }, { "b?", "c", "" }, "aB", 'a' },
		{ { "b", "c" }, { "b", "", "" }, "", 'a' }, /* debug info knows of no such jump */
		{ { "b", "c" }, { "", "c", "" }, "", 'a' },
		{ { "bc", "c" }, { "bc", "c", "" }, "", 'a' }, /* two ways */
		{ { "cb", "c" }, { "bc", "c", "" }, "", 'a' },
		{ { "b" }, { "b", "", "" }, "", 'a' }, /* none */
		{ { "b", "a" }, { "b", "a", "" }, "", 'a' },
		{ { "b", "ac" }, { "b", "ac", "" }, "ab", 'a' }, /* round about */
		{ { "c" }, { "c", "", "" }, "", 'c' },           /* c() itself was called */
		{ { NULL, "c" }, { "", "c", "" }, "b", 'b' },
		{ { NULL, NULL, NULL, "c" }, { "", "", "", "c" }, "", 'd' }, /* a thunk */
		{ { "d", NULL, NULL, "c" }, { "d", "", "", "c" }, "", 'a' },
		/* into the part that gcc moved away, and from there; into that of another never */
		{ { "E", NULL, NULL, NULL, "c" }, { "c", "", "" }, "a", 'a' },
		{ { "E", NULL, NULL, NULL, ".Ec" }, { "c", "", "" }, "a", 'a' },
		{ { "B", "c" }, { "c", "c", "" }, "", 'a' },
	};

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		struct function f[4] = { 0 };
		char got[TAIL_CALLS_MAX + 1];

		memset(&code, 0, sizeof(code));
		code.called = v[i].called;
		for (size_t k = 0; k < 5; k++)
			code.jumps[k] = v[i].in_code[k];
		for (size_t k = 0; k < 4; k++)
			f[k] = (struct function){ TELLS, v[i].told[k] ? v[i].told[k] : "" };
		between(f, 4, SLIDE + TEXT + 2 * SIZE + 8, true, got);
		if (!CHECK_STR(got, v[i].want))
			printf("  of %zu\n", i);
		between(f, 4, SLIDE + TEXT + 2 * SIZE + 8, false, got);
		CHECK_STR(got, ""); /* without the caller nobody knows what was called */
	}
}

TEST_MAIN
