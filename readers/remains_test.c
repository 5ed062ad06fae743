/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the dates in the names that crashes are kept under. */
#include <stdlib.h>
#include <time.h>

#include "core/base/test.h"
#include "readers/remains.h"

/* Expectations: date -u -d '...' +%s. */
TEST(dates_in_names)
{
	static const struct {
		const char *name;
		int64_t s;
	} dates[] = {
		{ "202611231031", 1795429860 }, /* kdump-tools */
		{ "dump.202611231031", 1795429860 },
		{ "10.0.0.1-202611231031", 1795429860 },         /* with HOSTTAG */
		{ "127.0.0.1-2026-11-23-10:31:05", 1795429865 }, /* kexec-tools */
		{ "127.0.0.1-2026.11.23-10:31:05", 1795429865 }, /* RHEL 6 */
		{ "linux-image-6.8.0-45-generic-202611231031.crash", 1795429860 },
		{ "1790000000", 1790000000 }, /* systemd-pstore */
		{ "20261123103105", 1795429865 },
	};
	static const char *const none[] = {
		"",           "kexec_cmd",     "202613231031", "202611321031", "202611232531",
		"2026",       "199911231031",  "179000000",    "1790000000-1", "002",
		"2026-11-23", "linux-6.1.0-56"
	};
	int64_t got;

	setenv("TZ", "UTC", 1);
	tzset();
	for (size_t i = 0; i < ARRAY_SIZE(dates); i++) {
		CHECK(remains_date(dates[i].name, &got));
		CHECK(got == dates[i].s);
	}
	for (size_t i = 0; i < ARRAY_SIZE(none); i++)
		CHECK(!remains_date(none[i], &got));
}

TEST_MAIN
