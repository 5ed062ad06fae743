/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What stands for ctfwrite.c and what it needs where obit was built without babeltrace's header. */
#include "readers/ctf/ctfwrite.h"

bool ctf_read_folder(const char *folder, int fd, size_t room, struct err *err)
{
	(void)folder, (void)fd, (void)room;
	return err_set(err, ERR_NEED,
		       "no CTF can be read: this obit was built without libbabeltrace2 (make finds "
		       "it once its header is there; Debian: libbabeltrace2-dev)");
}
