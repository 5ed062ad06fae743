/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of variables and callers' registers on this very program: the test knows its own values. */
#include <fcntl.h>
#include <gelf.h>
#include <link.h>
#include <stddef.h>
#include <unistd.h>

#include "core/arch/flat_fake.h"
#include "core/base/test.h"
#include "core/types/frame_info.h"
#include "core/image/target.h"
#include "core/types/value.h"
#include "readers/reader.h"

extern const struct reader reader_dwarf;

struct note {
	char text[16];
	long number;
	struct note *next;
};

/* The frames of who called capture(), the newest first. */
#define FRAMES 4
struct fixture {
	struct target t;
	struct arena scratch;
	struct arch arch;
	struct err err;
	struct frame_at frames[FRAMES];
	size_t n;
};

static struct fixture f;

static bool any_va(uint64_t va)
{
	return va >= 4096;
}

/* Whole pages of our own stack, which the sanitizer has marks in. */
__attribute__((no_sanitize("address"))) static bool own_memory(void *self, uint64_t pa, void *buf,
							       size_t n, struct err *err)
{
	(void)self;
	(void)err;
	for (size_t i = 0; i < n; i++)
		((volatile uint8_t *)buf)[i] = ((const volatile uint8_t *)(uintptr_t)pa)[i];
	return true;
}

static bool section(void *self, const char *name, struct span *ret, uint64_t *addr)
{
	*ret = *(struct span *)self;
	*addr = 0;
	return strcmp(name, ".debug_info") == 0;
}

static int load_base(struct dl_phdr_info *info, size_t size, void *arg)
{
	(void)size;
	*(uint64_t *)arg = info->dlpi_addr; /* the first one is the program */
	return 1;
}

static bool start(void)
{
	struct file *file;

	memset(&f, 0, sizeof(f));
	target_init(&f.t, &f.scratch);
	f.arch = arch_x86_64;
	f.arch.is_kernel_va = any_va;
	f.arch.mmu_init = flat_mmu_init;
	f.arch.walk = flat_walk;
	f.t.arch = &f.arch;
	f.t.memory.phys.read = own_memory;
	if (!CHECK_OK(file_open(&f.t.arena, "/proc/self/exe", &file, &f.err), f.err))
		return false;
	vec_push(&f.t.inputs)->file = file;
	f.t.vmlinux.file = file;
	f.t.vmlinux.self = &file->map;
	f.t.vmlinux.section = section;
	dl_iterate_phdr(load_base, &f.t.kaslr);
	return CHECK_OK(reader_dwarf.attach(&f.t, &f.err), f.err);
}

static void stop(void)
{
	target_release(&f.t);
	arena_release(&f.scratch);
}

/* From the registers that functions keep, as they are here, up the stack. */
static void climb(uint64_t pc, uint64_t rbx, uint64_t rbp, uint64_t rsp, const uint64_t *r12)
{
	struct frame_at *at = f.frames;

	at->pc = pc;
	at->exact = true;
	regs_set(&at->regs, 3, rbx);
	regs_set(&at->regs, 6, rbp);
	regs_set(&at->regs, 7, rsp);
	for (unsigned i = 0; i < 4; i++)
		regs_set(&at->regs, 12 + i, r12[i]);
	for (f.n = 1; f.n < FRAMES; f.n++, at++) {
		if (!frame_caller(&f.t, at, &at[1].regs, &at->cfa, &f.err))
			return;
		at->has_cfa = true;
		at->caller = &at[1];
		at[1].pc = at[1].regs.r[16];
	}
}

static __attribute__((noinline, noclone)) long look(struct note *given, long number)
{
	uint64_t pc, rbx, rbp, rsp, r12[4];

	__asm__ volatile("lea 0f(%%rip), %%rax\n\tmov %%rax, %0\n"
			 "0:\tmov %%rbx, %1\n\tmov %%rbp, %2\n\tmov %%rsp, %3\n\t"
			 "mov %%r12, %4\n\tmov %%r13, %5\n\tmov %%r14, %6\n\tmov %%r15, %7"
			 : "=m"(pc), "=m"(rbx), "=m"(rbp), "=m"(rsp), "=m"(r12[0]), "=m"(r12[1]),
			   "=m"(r12[2]), "=m"(r12[3])
			 :
			 : "rax", "memory");
	climb(pc, rbx, rbp, rsp, r12);
	return given->number + number;
}

/* Its locals are wanted behind the call, its argument is not: that one is known from the call. */
static __attribute__((noinline, noclone)) long middle(long first, const char *word, int gone)
{
	struct note note = { .text = "middle", .number = gone };
	long kept = first * 3, ret;

	ret = look(&note, 5);
	return ret + kept + word[0] + note.number;
}

static __attribute__((noinline, noclone)) long outer(volatile long *from)
{
	static const char word[] = "word";
	long mine = *from;

	return middle(mine, word, 77) + mine;
}

/* The frame's variable of that name. */
static const struct variable *find(size_t frame, const char *name)
{
	const struct variable *all;
	size_t n;

	if (!CHECK(frame < f.n) ||
	    !CHECK_OK(frame_variables(&f.t, &f.frames[frame], &f.scratch, &all, &n, &f.err), f.err))
		return NULL;
	for (size_t i = 0; i < n; i++)
		if (!strcmp(all[i].name, name))
			return &all[i];
	CHECK(!"a variable of that name");
	return NULL;
}

/* What is told is right. Is it told? */
static bool check_number(size_t frame, const char *name, int64_t want, bool argument)
{
	const struct variable *v = find(frame, name);
	int64_t got;

	if (!v)
		return false;
	CHECK(v->argument == argument);
	if (!v->known) {
		CHECK(v->why.code != ERR_OK);
		return false;
	}
	if (CHECK_OK(value_s64(&f.t, v->value, &got, &f.err), f.err))
		CHECK_U64((uint64_t)got, (uint64_t)want);
	return true;
}

TEST(arguments_and_locals_of_callers)
{
	volatile long from = 1234567890123;
	const struct variable *v;
	const char *text;
	unsigned told = 0;
	struct value m;

	REQUIRE(start());
	CHECK_U64((uint64_t)outer(&from), (uint64_t)(77 + 5 + 3 * from + 'w' + 77 + from));
	REQUIRE(f.n >= 3);
	check_number(0, "number", 5, true); /* perhaps in a register that look() did not save */
	CHECK(check_number(1, "kept", 3 * from, false));
	told += check_number(1, "first", from, true);
	told += check_number(1, "gone", 77, true);
	CHECK(told >= 1); /* one by its call site at the least */
	CHECK(check_number(2, "mine", from, false));
	v = find(1, "note");
	if (v && v->known /* the sanitizer moves it */ &&
	    CHECK_OK(value_member(&f.t, v->value, "text", &m, &f.err), f.err) &&
	    CHECK_OK(value_str(&f.t, m, 16, &f.scratch, &text, &f.err), f.err))
		CHECK_STR(text, "middle");
	v = find(1, "ret"); /* not there before the call returns */
	CHECK(v && (!v->known || v->value.kind == VALUE_REF));
	stop();
}

/* Without the caller nothing tells what was passed; without the frame's place no local is found. */
TEST(less_evidence_tells_less)
{
	volatile long from = 99;
	const struct variable *v;

	REQUIRE(start());
	outer(&from);
	REQUIRE(f.n >= 3);
	f.frames[1].has_cfa = false;
	f.frames[1].caller = NULL;
	f.frames[1].regs.have = 0;
	v = find(1, "note");
	CHECK(v && !v->known);
	v = find(1, "kept");
	CHECK(v && !v->known);
	v = find(1, "first");
	CHECK(v && !v->known);
	stop();
}

TEST(an_address_that_nothing_covers)
{
	struct frame_at at = { .pc = 16, .exact = true };
	const struct variable *all;
	struct regs regs;
	uint64_t cfa;
	size_t n;

	REQUIRE(start());
	CHECK(!frame_variables(&f.t, &at, &f.scratch, &all, &n, &f.err));
	CHECK_ERR(f.err, ERR_NOTFOUND);
	CHECK(!frame_caller(&f.t, &at, &regs, &cfa, &f.err));
	CHECK_ERR(f.err, ERR_NOTFOUND);
	stop();
}

/* ---- tail calls */

/* The program's functions, by libelf. */
static bool own_symbols(struct target *t, struct symtab *tab, struct err *err)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	Elf_Scn *section = NULL;
	GElf_Shdr head;
	GElf_Sym sym;

	(void)err;
	while (elf && (section = elf_nextscn(elf, section)) && gelf_getshdr(section, &head)) {
		Elf_Data *data = head.sh_type == SHT_SYMTAB ? elf_getdata(section, NULL) : NULL;

		for (int i = 0; data && gelf_getsym(data, i, &sym); i++)
			if (GELF_ST_TYPE(sym.st_info) == STT_FUNC && sym.st_value)
				*vec_push(&tab->syms) = (struct symbol){
					.name = arena_strdup(
						&t->arena,
						elf_strptr(elf, head.sh_link, sym.st_name)),
					.addr = sym.st_value + t->kaslr,
					.size = sym.st_size,
					.type = 't'
				};
	}
	elf_end(elf);
	close(fd);
	return tab->syms.n > 0;
}

#define JUMPS __attribute__((noinline, noclone, optimize("optimize-sibling-calls")))
#define CALLS __attribute__((noinline, noclone, optimize("no-optimize-sibling-calls")))

static volatile long odd;

/* It is reached by jumps from hop(), which one() reaches by a jump, both() by two ways. */
static CALLS long reached(struct note *given, long number)
{
	long ret = look(given, number);

	return ret + given->number;
}

static JUMPS long hop(struct note *given, long number)
{
	odd++;
	return reached(given, number + 1);
}

static JUMPS long one(struct note *given, long number)
{
	odd += 2;
	return hop(given, number * 2);
}

static JUMPS long both(struct note *given, long number)
{
	return odd & 1 ? hop(given, number) : reached(given, number - 1);
}

static CALLS long calls_reached(volatile long *from)
{
	struct note note = { .number = *from };

	return reached(&note, *from) + *from;
}

static CALLS long calls_one(volatile long *from)
{
	struct note note = { .number = *from };

	return one(&note, *from) + *from;
}

static CALLS long calls_both(volatile long *from)
{
	struct note note = { .number = *from };

	return both(&note, *from) + *from;
}

/* Without optimization the compiler calls in any case. */
#ifdef __OPTIMIZE__
#define MADE_JUMPS true
#else
#define MADE_JUMPS false
#endif

/* Who went from calls_*() to reached() by jumps: nobody; one() and hop(), and no other way there
 * is; or what both() may have done, which is two things. */
TEST(functions_that_ended_in_jumps)
{
	struct tail_call calls[TAIL_CALLS_MAX];
	volatile long from = 5;
	size_t n = 0;

	elf_version(EV_CURRENT);
	for (unsigned i = 0; i < 3; i++) {
		REQUIRE(start());
		symbols_add(&f.t, "this program")->load = own_symbols;
		if (i == 0)
			calls_reached(&from);
		else if (i == 1)
			calls_one(&from);
		else
			calls_both(&from);
		REQUIRE(f.n >= 3);
		if (i != 1 || !MADE_JUMPS) {
			CHECK(!frame_tail_calls(&f.t, &f.frames[1], calls, &n, &f.err));
			CHECK_ERR(f.err, ERR_NOTFOUND);
		} else if (CHECK_OK(frame_tail_calls(&f.t, &f.frames[1], calls, &n, &f.err),
				    f.err)) {
			CHECK_U64(n, 2);
			CHECK_STR(calls[0].func, "one");
			CHECK_STR(calls[1].func, "hop");
			CHECK_U64(calls[0].addr, (uint64_t)(uintptr_t)one);
			CHECK_U64(calls[1].addr, (uint64_t)(uintptr_t)hop);
			CHECK(calls[0].sure && calls[1].sure);
		}
		/* without the caller nobody knows what was called */
		f.frames[1].caller = NULL;
		CHECK(!frame_tail_calls(&f.t, &f.frames[1], calls, &n, &f.err));
		stop();
	}
}

TEST_MAIN
