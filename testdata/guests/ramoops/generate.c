/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the region of readers/pstore/made_ramoops.h that a guest is to read back, to stdout. */
#include <stdbool.h>

#include "readers/pstore/made_ramoops.h"

int main(int argc, char **argv)
{
	struct made_sizes s = { .cpus = 2 };
	static struct made_region m;
	unsigned damage;

	if (argc != 10) {
		fputs("usage: generate SIZE RECORD CONSOLE FTRACE PMSG ECC CODE FTRACE-LAST DAMAGE\n",
		      stderr);
		return 2;
	}
	s.region = strtoul(argv[1], NULL, 0);
	if (s.region > MADE_MAX)
		return 2;
	s.record = strtoul(argv[2], NULL, 0);
	s.console = strtoul(argv[3], NULL, 0);
	s.ftrace = strtoul(argv[4], NULL, 0);
	s.pmsg = strtoul(argv[5], NULL, 0);
	s.ecc = (unsigned)strtoul(argv[6], NULL, 0);
	s.code = (uint32_t)strtoul(argv[7], NULL, 0);
	s.ftrace_last = argv[8][0] == '1';
	made_story(&m, &s);
	/* more than eight bytes of a header cannot be mended, and the kernel would forget its zone
	 */
	damage = (unsigned)strtoul(argv[9], NULL, 0);
	made_damage(&m, damage, damage <= 8);
	return fwrite(m.p, 1, s.region, stdout) == s.region ? 0 : 1;
}
