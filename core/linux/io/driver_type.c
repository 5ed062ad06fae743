/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The types of drivers: a driver that is a module has them to itself. */
#include <string.h>

#include "core/linux/io/io_impl.h"

#define TYPES_MAX 4

/* By the function that takes a queue's requests, or by the functions of its disk. */
static const struct {
	const char *by;
	const char *types[TYPES_MAX];
} drivers[] = {
	{ "scsi_queue_rq", { "struct scsi_cmnd", "struct scsi_device", "struct Scsi_Host" } },
	{ "nvme_queue_rq", { "struct nvme_request", "struct nvme_command", "enum nvme_opcode" } },
	{ "nvme_rdma_queue_rq",
	  { "struct nvme_request", "struct nvme_command", "enum nvme_opcode" } },
	{ "nvme_tcp_queue_rq",
	  { "struct nvme_request", "struct nvme_command", "enum nvme_opcode" } },
	{ "virtio_queue_rq", { "struct virtblk_req" } },
	{ "loop_queue_rq", { "struct loop_cmd", "struct loop_device" } },
	{ "dm_blk_dops", { "struct dm_target_io", "struct dm_io", "struct mapped_device" } },
	{ "dm_rq_blk_dops", { "struct mapped_device" } },
	{ "md_fops",
	  { "struct md_io_clone", "struct md_io_acct", "struct r1bio", "struct r10bio" } },
};

void io_types_load(const struct io_call *c, const char *by)
{
	const struct type *type;
	struct err ignored;

	/* what is missed is told where it is asked for */
	for (size_t i = 0; by && i < ARRAY_SIZE(drivers); i++)
		for (size_t k = 0; !strcmp(drivers[i].by, by) && k < TYPES_MAX; k++)
			if (drivers[i].types[k])
				(void)!type_find_deep(c->t, drivers[i].types[k], &type, &ignored);
}
