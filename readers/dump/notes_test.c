/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of a dump's notes one by one: which architecture's they are, and where the pid is. */
#include "core/base/test.h"
#include "readers/dump/made_dump.h"
#include "readers/dump/notes.h"

/* Turns round the bytes of each of n words. */
static void swap_words(uint8_t *p, size_t n, size_t size)
{
	for (; n--; p += size)
		for (size_t i = 0; i < size / 2; i++) {
			uint8_t b = p[i];

			p[i] = p[size - 1 - i];
			p[size - 1 - i] = b;
		}
}

/* struct elf_prstatus: pr_info (12), pr_cursig (2, padded to 4), pr_sigpend and pr_sighold (a word
 * each), pr_pid; so at 24 where words have 4 bytes, at 32 where they have 8. The size of the note
 * and its order of bytes tell the architecture. */
TEST(the_pid_is_behind_words_of_the_architecture)
{
	static const struct {
		const struct arch *arch;
		size_t size, pid;
		bool big;
	} v[] = { { &arch_arm, 148, 24, false },
		  { &arch_x86_64, 336, 32, false },
		  { &arch_aarch64, 392, 32, false },
		  { &arch_s390x, 336, 32, true } };

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		struct arena scratch = { 0 };
		struct buf notes = { 0 };
		uint8_t status[400];
		struct target t;

		/* every word another number, so that a wrong place shows */
		for (size_t k = 0; k < sizeof(status); k++)
			status[k] = (uint8_t)k;
		put_le(status + v[i].pid, 4711, 4);
		if (v[i].big)
			swap_words(status + v[i].pid, 1, 4);
		made_note(&notes, "CORE", 1, status, v[i].size);
		if (v[i].big)
			swap_words((uint8_t *)notes.s, 3, 4);
		target_init(&t, &scratch);
		CHECK_U64(notes_read(&t, SPAN((const uint8_t *)notes.s, notes.n), v[i].big).n, 1);
		CHECK(t.arch == v[i].arch);
		if (CHECK(t.cpus.n == 1))
			CHECK_U64(t.cpus.p[0].pid, 4711);
		target_release(&t);
		arena_release(&scratch);
		buf_release(&notes);
	}
}

/* Notes of lengths that are no multiples of four, in the order of the CPUs; one of a CPU that was
 * offline is blank, and room that was never filled is zeros. */
TEST(notes_follow_each_other)
{
	static const char info[] = "OSRELEASE=6.1\nX=1\n";
	uint8_t status[336] = { 0 };
	struct arena scratch = { 0 };
	struct buf notes = { 0 };
	struct notes_seen seen;
	struct target t;

	for (unsigned cpu = 1; cpu <= 3; cpu++) {
		put_le(status + 32, cpu == 2 ? 0 : 100 + cpu, 4);
		put_le(status + 112 + 16 * 8, cpu == 2 ? 0 : 0x1000 * cpu, 8); /* rip */
		made_note(&notes, "CORE", 1, status, sizeof(status));
		made_note(&notes, "ODD", 7, "abcde", 5);
		buf_pad(&notes, '\0', cpu * 12);
	}
	made_note(&notes, "VMCOREINFO", 0, info, sizeof(info) - 1);
	target_init(&t, &scratch);
	seen = notes_read(&t, SPAN((const uint8_t *)notes.s, notes.n), false);
	CHECK_U64(seen.n, 7);
	CHECK(seen.vmcoreinfo && !seen.qemu && !seen.process);
	REQUIRE(t.cpus.n == 3);
	for (unsigned i = 0; i < 3; i++) {
		uint64_t rip = 0;

		CHECK_U64(t.cpus.p[i].pid, i == 1 ? 0 : 101 + i);
		CHECK(regs_get(&t.cpus.p[i].regs, 16, &rip) == (i != 1));
		CHECK_U64(rip, i == 1 ? 0 : 0x1000 * (i + 1));
	}
	CHECK_STR(t.vmcoreinfo.text, info);
	CHECK_U64(t.warnings.n, 0);
	target_release(&t);
	arena_release(&scratch);
	buf_release(&notes);
}

/* A file's order of bytes is that of its notes: their headers, the pid, the registers. Text has
 * none. */
TEST(notes_of_a_big_endian_file)
{
	static const char info[] = "OSRELEASE=6.1\nX=1\n";
	uint8_t status[336] = { 0 };
	struct arena scratch = { 0 };
	struct buf notes = { 0 };
	struct target t;
	uint64_t v = 0;

	put_le(status + 32, 4711, 4);
	put_le(status + 112 + 16 * 8, 0x123456789abcdef0, 8); /* rip */
	swap_words(status + 32, 1, 4);
	swap_words(status + 112, 27, 8);
	made_note(&notes, "CORE", 1, status, sizeof(status));
	swap_words((uint8_t *)notes.s, 3, 4);
	made_note(&notes, "VMCOREINFO", 0, info, sizeof(info) - 1);
	swap_words((uint8_t *)notes.s + 12 + 8 + 336, 3, 4);
	target_init(&t, &scratch);
	t.arch = &arch_x86_64; /* as the file's header says; QEMU writes such files for others, too
				*/
	CHECK_U64(notes_read(&t, SPAN((const uint8_t *)notes.s, notes.n), true).n, 2);
	CHECK_STR(t.vmcoreinfo.text, info);
	REQUIRE(t.cpus.n == 1);
	CHECK_U64(t.cpus.p[0].pid, 4711);
	CHECK(regs_get(&t.cpus.p[0].regs, 16, &v));
	CHECK_U64(v, 0x123456789abcdef0);
	target_release(&t);
	arena_release(&scratch);
	buf_release(&notes);
}

/* A process' core file has notes of its own beside the registers; a name without its NUL is none.
 */
TEST(notes_of_others)
{
	static const struct {
		const char *name;
		uint32_t type;
		bool process, qemu, vmcoreinfo;
	} v[] = {
		{ "CORE", 3, true, false, false },       { "CORE", 6, true, false, false },
		{ "CORE", 2, false, false, false },      { "LINUX", 3, false, false, false },
		{ "QEMU", 0, false, true, false },       { "CORE\1", 3, false, false, false },
		{ "VMCOREINFO", 0, false, false, true },
	};
	static const char desc[] = "OSRELEASE=6.1\n";

	for (size_t i = 0; i < ARRAY_SIZE(v); i++)
		for (unsigned cut = 0; cut < 2; cut++) {
			struct arena scratch = { 0 };
			struct buf notes = { 0 };
			struct notes_seen seen;
			struct target t;

			made_note(&notes, v[i].name, v[i].type, desc, sizeof(desc) - 1);
			if (cut) /* the name's last byte is no NUL */
				notes.s[12 + strlen(v[i].name)] = 'x';
			target_init(&t, &scratch);
			seen = notes_read(&t, SPAN((const uint8_t *)notes.s, notes.n), false);
			CHECK_U64(seen.n, 1);
			if (!CHECK(seen.process == (v[i].process && !cut)) ||
			    !CHECK(seen.qemu == (v[i].qemu && !cut)) ||
			    !CHECK(seen.vmcoreinfo == (v[i].vmcoreinfo && !cut)))
				printf("  of %s %u\n", v[i].name, v[i].type);
			CHECK_U64(t.cpus.n, 0);
			target_release(&t);
			arena_release(&scratch);
			buf_release(&notes);
		}
}

/* Cut anywhere, what was whole is read; a note that says it is longer than what is there is told.
 */
TEST(notes_that_are_cut)
{
	uint8_t status[336] = { [32] = 42, [112] = 1 };
	struct buf notes = { 0 };
	size_t one;

	made_note(&notes, "CORE", 1, status, sizeof(status));
	one = notes.n;
	made_note(&notes, "CORE", 1, status, sizeof(status));
	for (size_t n = 0; n <= notes.n; n++) {
		struct arena scratch = { 0 };
		struct target t;
		size_t whole = n / one;

		target_init(&t, &scratch);
		CHECK_U64(notes_read(&t, SPAN((const uint8_t *)notes.s, n), false).n, whole);
		CHECK_U64(t.cpus.n, whole);
		if (!CHECK_U64(t.warnings.n, n % one >= 12))
			printf("  of %zu bytes\n", n);
		target_release(&t);
		arena_release(&scratch);
	}
	buf_release(&notes);
}

/* include/uapi/linux/vmcore.h: the owner's name has 8 bytes, the dump's 44, and then come the data.
 */
TEST(what_drivers_added_is_kept)
{
	uint8_t desc[44 + 5] = "cxgb4_0000:01:00.4", head[12];
	struct arena scratch = { 0 };
	struct buf notes = { 0 };
	struct target t;

	memcpy(desc + 44, "\1\2\3\0\5", 5);
	put_le(head, 8, 4);
	put_le(head + 4, sizeof(desc), 4);
	put_le(head + 8, 0x700, 4);
	buf_add(&notes, head, sizeof(head));
	buf_add(&notes, "LINUX\0\0", 8);
	buf_add(&notes, desc, sizeof(desc));
	buf_pad(&notes, '\0', -notes.n & 3);
	made_note(&notes, "LINUX", 0x700, desc, 43); /* too short for a name */
	made_note(&notes, "LINUX", 0x700, memset(desc, 'x', 44), 44);
	target_init(&t, &scratch);
	CHECK_U64(notes_read(&t, SPAN((const uint8_t *)notes.s, notes.n), false).n, 3);
	REQUIRE(t.dump.devices.n == 2);
	CHECK_STR(t.dump.devices.p[0].name, "cxgb4_0000:01:00.4");
	CHECK_U64(t.dump.devices.p[0].data.n, 5);
	CHECK(!memcmp(t.dump.devices.p[0].data.p, "\1\2\3\0\5", 5));
	CHECK_U64(strlen(t.dump.devices.p[1].name), 44);
	CHECK_U64(t.dump.devices.p[1].data.n, 0);
	target_release(&t);
	arena_release(&scratch);
	buf_release(&notes);
}

TEST_MAIN
