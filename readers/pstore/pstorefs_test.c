/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests what the names of pstore's files say, of each file system and archive they come from. */
#include "core/base/test.h"
#include "readers/reader.h"

extern const struct reader reader_pstorefs;

static struct arena scratch;

/* The first record's kind, backend, id and, of its name alone, its time; "": nobody's name. */
static void describe(const char *path, const char *text, char *to, size_t size)
{
	static const char *const types[] = {
		[SURVIVOR_DMESG] = "dmesg", [SURVIVOR_CONSOLE] = "console",
		[SURVIVOR_PMSG] = "pmsg",   [SURVIVOR_FTRACE] = "ftrace",
		[SURVIVOR_MCE] = "mce",     [SURVIVOR_UNKNOWN] = "unknown"
	};
	struct file f = { .path = path, .fd = -1, .map = SPAN(text, strlen(text)) };
	const struct survivor *s;
	struct target t;
	struct err err;

	*to = '\0';
	target_init(&t, &scratch);
	if (reader_pstorefs.probe(&f) && CHECK_OK(reader_pstorefs.open(&t, &f, &err), err) &&
	    CHECK(t.survivors.v.n == 1)) {
		s = &t.survivors.v.p[0];
		snprintf(to, size, "%s %s %" PRIu64 " %u.%u", types[s->type], s->backend, s->id,
			 s->count, s->part);
		if (s->has_time)
			snprintf(to + strlen(to), size - strlen(to), " @%" PRId64 " %s", s->time_s,
				 s->time_how);
	}
	target_release(&t);
}

#define LOG "Oops#2 Part3\n<4>[    1.000000] x\n"
#define SOME "<4>[    1.000000] some text\n"

/* fs/pstore/inode.c: "%s-%s-%llu%s", the type's name, the backend's, the id, ".enc.z" of what could
 * not be unpacked; before 3.17 without an id; an efi id is (time * 100 + part) * 1000 + count.
 * drivers/firmware/efi/efi-pstore.c: "dump-type%u-%u-%d-%lld-%c", type, part, count, time. */
static const char *const names[][3] = {
	{ "dmesg-ramoops-0", LOG, "dmesg ramoops 0 2.3" },
	{ "/sys/fs/pstore/dmesg-ramoops-12", LOG, "dmesg ramoops 12 2.3" },
	{ "dmesg-ramoops-0.enc.z", SOME, "dmesg ramoops 0 0.0" },
	{ "dmesg-ramoops-0-erased", LOG, "dmesg ramoops 0 2.3" },
	{ "console-ramoops-0", SOME, "console ramoops 0 0.0" },
	{ "console-ramoops", SOME, "console ramoops 0 0.0" },
	{ "console-ramoops.txt", SOME, "" },
	{ "console-efi", SOME, "" },
	{ "console-", SOME, "" },
	{ "console-ramoops.gz", SOME, "console ramoops 0 0.0" },
	{ "pmsg-ramoops-0", SOME, "pmsg ramoops 0 0.0" },
	{ "ftrace-ramoops-0", SOME, "ftrace ramoops 0 0.0" },
	{ "mce-erst-7", SOME, "mce erst 7 0.0" },
	{ "rtas-nvram-1", SOME, "unknown nvram 1 0.0" },
	{ "powerpc-ofw-nvram-1", SOME, "unknown nvram 1 0.0" },
	{ "unknown-x-1", SOME, "unknown x 1 0.0" },
	{ "dmesg-pstore_blk-1", LOG, "dmesg pstore_blk 1 2.3" },
	{ "dmesg-efi_pstore-170000000003002", LOG,
	  "dmesg efi_pstore 170000000003002 2.3 @1700000000 id" },
	{ "dmesg-efi-170000000003002", LOG, "dmesg efi 170000000003002 2.3 @1700000000 id" },
	{ "dmesg-efi-170000000003002", SOME, "dmesg efi 170000000003002 0.0" },
	{ "dmesg-efi-2003", LOG, "dmesg efi 2003 2.3" },
	{ "dmesg-erst-170000000003002", LOG, "dmesg erst 170000000003002 2.3" },
	{ "dump-type0-3-2-1700000000-C-cfc8fc79-be2e-4ddc-97f0-9f98bfe298a0", SOME,
	  "dmesg efi 0 0.0 @1700000000 id" },
	{ "dump-type0-3-2-1700000000-D-cfc8fc79", LOG, "dmesg efi 0 2.3 @1700000000 id" },
	{ "dump-type0-3-2-1700000000-D-cfc8fc79", SOME, "dmesg efi 0 2.3 @1700000000 id" },
	{ "dump-type0-3-1700000000-cfc8fc79", SOME, "dmesg efi 0 0.3 @1700000000 id" },
	{ "dump-type1-3-2-1700000000-D-cfc8fc79", SOME, "mce efi 0 0.0 @1700000000 id" },
	{ "dump-type2-3-2-1700000000-D-cfc8fc79", SOME, "console efi 0 0.0" },
	{ "dump-type3-3-2-1700000000-D-cfc8fc79", SOME, "ftrace efi 0 0.0" },
	{ "dump-type7-3-2-1700000000-D-cfc8fc79", SOME, "pmsg efi 0 0.0" },
	{ "dump-type8-3-2-1700000000-D-cfc8fc79", SOME, "unknown efi 0 0.0" },
	{ "dump-type0-3-x", SOME, "" },
	{ "dump-type0-3", SOME, "" },
	{ "dump-type0_3-2-1", SOME, "" },
	{ "dump-typex-3-2-1", SOME, "" },
	{ "last_kmsg", SOME, "console file 0 0.0" },
	{ "/proc/last_kmsg", SOME, "console file 0 0.0" },
	{ "last_kmsgs", SOME, "" },
	{ "dmesg", SOME, "" },
	{ "dmesg-", SOME, "" },
	{ "dmesg-0", SOME, "" },
	{ "xdmesg-ramoops-0", SOME, "" },
	/* an archive of systemd-pstore, below the time in its folder's name (253 and later) */
	{ "pstore/1700000000/2/dmesg.txt", LOG, "dmesg file 0 2.3 @1700000000 id" },
	{ "/var/lib/systemd/pstore/1700000000/002/dmesg.txt", LOG,
	  "dmesg file 0 2.3 @1700000000 id" },
	{ "1700000000/dmesg.txt", LOG, "dmesg file 0 2.3" },
	{ "a/1700000000/dmesg.txt", LOG, "dmesg file 0 2.3" },
	{ "a/1000000000/2/dmesg.txt", LOG, "dmesg file 0 2.3" },
	{ "a/1000000001/2/dmesg.txt", LOG, "dmesg file 0 2.3 @1000000001 id" },
	{ "a/100000000000/2/dmesg.txt", LOG, "dmesg file 0 2.3" },
	{ "a/1700000000/b/dmesg.txt", LOG, "dmesg file 0 2.3" },
	{ "a/1700000000x/2/dmesg.txt", LOG, "dmesg file 0 2.3" },
	{ "a/17/2/dmesg.txt", LOG, "dmesg file 0 2.3" },
};

TEST(names_say_what_their_files_are)
{
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		char said[160];

		describe(names[i][0], names[i][1], said, sizeof(said));
		if (!CHECK_STR(said, names[i][2]))
			printf("  of '%s'\n", names[i][0]);
	}
}

/* A variable of efivarfs begins with its attributes, of four bytes; a record's own text does not.
 */
TEST(attributes_are_no_text)
{
	static const char with[] = "\7\0\0\0" LOG, without[] = LOG;
	static const char *const path = "dump-type0-3-2-1700000000-D-cfc8fc79";

	for (unsigned i = 0; i < 2; i++) {
		struct file f = { .path = path,
				  .fd = -1,
				  .map = i ? SPAN(with, sizeof(with) - 1)
					   : SPAN(without, sizeof(without) - 1) };
		struct target t;
		struct err err;

		target_init(&t, &scratch);
		REQUIRE_OK(reader_pstorefs.open(&t, &f, &err), err);
		CHECK_U64(t.survivors.v.p[0].n, strlen("<4>[    1.000000] x\n"));
		CHECK_STR(t.survivors.v.p[0].reason, "Oops");
		target_release(&t);
	}
}

/* What the kernel could not mend is said of every kind of record. */
TEST(the_kernels_losses_are_told)
{
	static const char text[] = SOME "\nECC: 17 Corrected bytes, 3 unrecoverable blocks\n";
	struct file f = { .path = "console-ramoops-0",
			  .fd = -1,
			  .map = SPAN(text, sizeof(text) - 1) };
	const struct survivor *s;
	struct target t;
	struct err err;

	target_init(&t, &scratch);
	REQUIRE_OK(reader_pstorefs.open(&t, &f, &err), err);
	s = &t.survivors.v.p[0];
	CHECK_U64(s->stored.n, strlen(SOME));
	CHECK_U64(s->corrected, 17);
	CHECK_U64(s->lost, 3);
	CHECK(s->damage && strstr(s->damage, "could not correct 3 blocks"));
	target_release(&t);
	arena_release(&scratch);
}

/* systemd-pstore keeps each part and, since 253, all of them in dmesg.txt; whatever the archive is
 * called and wherever its name stands among the others, a part is one record. */
TEST(an_archive_adds_no_record_of_its_parts)
{
	struct file archive = { .path = "all.txt", .fd = -1, .map = SPAN(LOG, strlen(LOG)) };
	struct file part = { .path = "dmesg-efi-2003", .fd = -1, .map = SPAN(LOG, strlen(LOG)) };
	struct file *const files[] = { &archive, &part };
	struct target t;
	struct err err;

	target_init(&t, &scratch);
	CHECK(reader_pstorefs.probe(&archive));
	CHECK_OK(reader_pstorefs.open_folder(&t, &(struct folder){ ".", files, 2 }, &err), err);
	if (CHECK(t.survivors.v.n == 1))
		CHECK_STR(t.survivors.v.p[0].backend, "efi");
	target_release(&t);
}

TEST_MAIN
