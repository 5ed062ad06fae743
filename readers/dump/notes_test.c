/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of a dump's notes one by one: which architecture's they are, and where the pid is. */
#include "core/base/test.h"
#include "readers/dump/made_dump.h"
#include "readers/dump/notes.h"

/* struct elf_prstatus: pr_info (12), pr_cursig (2, padded to 4), pr_sigpend and pr_sighold (a word
 * each), pr_pid; so at 24 where words have 4 bytes, at 32 where they have 8. The size of the note
 * alone tells the architecture. */
TEST(the_pid_is_behind_words_of_the_architecture)
{
	static const struct {
		const struct arch *arch;
		size_t size, pid;
	} v[] = { { &arch_arm, 148, 24 }, { &arch_x86_64, 336, 32 }, { &arch_aarch64, 392, 32 } };

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		struct arena scratch = { 0 };
		struct buf notes = { 0 };
		uint8_t status[400];
		struct target t;

		/* every word another number, so that a wrong place shows */
		for (size_t k = 0; k < sizeof(status); k++)
			status[k] = (uint8_t)k;
		put_le(status + v[i].pid, 4711, 4);
		made_note(&notes, "CORE", 1, status, v[i].size);
		target_init(&t, &scratch);
		CHECK_U64(notes_read(&t, SPAN((const uint8_t *)notes.s, notes.n)).n, 1);
		CHECK(t.arch == v[i].arch);
		if (CHECK(t.cpus.n == 1))
			CHECK_U64(t.cpus.p[0].pid, 4711);
		target_release(&t);
		arena_release(&scratch);
		buf_release(&notes);
	}
}

TEST_MAIN
