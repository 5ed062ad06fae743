/* SPDX-License-Identifier: GPL-3.0-or-later */
/* BPF programs, maps and what is in these, as records. */
#ifndef OBIT_BPF_RECORD_H
#define OBIT_BPF_RECORD_H

#include "core/linux/bpf/bpf.h"
#include "core/shell/command.h"

extern const struct record_kind bpf_prog_kind, bpf_map_kind, bpf_element_kind, bpf_stack_kind;

void bpf_prog_record(struct ctx *c, const struct bpf_prog *p, struct record *r);
void bpf_map_record(struct ctx *c, const struct bpf_map *m, struct record *r);
/* Every element; stacks of stack-trace maps by their functions, and those that a hash's value names
 * (a member "stack_id", "stackid" or "kern_stack_id") with the stack of the map that `stacks` names
 * (NULL: none). */
bool emit_bpf_elements(struct ctx *c, const struct bpf_map *m, const struct bpf_map *stacks,
		       struct err *err) MUST_CHECK;

#endif
