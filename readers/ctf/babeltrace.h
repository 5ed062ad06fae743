/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libbabeltrace2, loaded in the process that reads a CTF trace, and nowhere else. */
#ifndef OBIT_BABELTRACE_H
#define OBIT_BABELTRACE_H

#include <babeltrace2/babeltrace.h>

#include "core/base/err.h"

/* The functions that are used, each under its name without "bt_". */
#define BABELTRACE_FUNCTIONS(F)                                              \
	F(bit_array, field_bit_array_get_value_as_integer)                   \
	F(bool_value, field_bool_get_value)                                  \
	F(cause_count, error_get_cause_count)                                \
	F(cause_at, error_borrow_cause_by_index)                             \
	F(cause_text, error_cause_get_message)                               \
	F(class_of, field_borrow_class_const)                                \
	F(class_range, field_class_integer_get_field_value_range)            \
	F(connect, graph_connect_ports)                                      \
	F(discarded_count, message_discarded_events_get_count)               \
	F(discarded_stream, message_discarded_events_borrow_stream_const)    \
	F(double_value, field_real_double_precision_get_value)               \
	F(element, field_array_borrow_element_field_by_index_const)          \
	F(environment, trace_borrow_environment_entry_value_by_name_const)   \
	F(error_release, error_release)                                      \
	F(error_restore, current_thread_move_error)                          \
	F(error_take, current_thread_take_error)                             \
	F(event_class, event_borrow_class_const)                             \
	F(event_common, event_borrow_common_context_field_const)             \
	F(event_name, event_class_get_name)                                  \
	F(event_packet, event_borrow_packet_const)                           \
	F(event_payload, event_borrow_payload_field_const)                   \
	F(event_specific, event_borrow_specific_context_field_const)         \
	F(event_stream, event_borrow_stream_const)                           \
	F(field_type, field_get_class_type)                                  \
	F(filter_add, graph_add_filter_component)                            \
	F(filter_class, plugin_borrow_filter_component_class_by_name_const)  \
	F(filter_inputs, component_filter_get_input_port_count)              \
	F(filter_input, component_filter_borrow_input_port_by_index_const)   \
	F(filter_output, component_filter_borrow_output_port_by_index_const) \
	F(float_value, field_real_single_precision_get_value)                \
	F(graph_create, graph_create)                                        \
	F(graph_put, graph_put_ref)                                          \
	F(graph_run, graph_run)                                              \
	F(length, field_array_get_length)                                    \
	F(logging, logging_set_global_level)                                 \
	F(map_array, value_map_insert_empty_array_entry)                     \
	F(map_create, value_map_create)                                      \
	F(member_at, field_class_structure_borrow_member_by_index_const)     \
	F(member_count, field_class_structure_get_member_count)              \
	F(member_field, field_structure_borrow_member_field_by_index_const)  \
	F(member_name, field_class_structure_member_get_name)                \
	F(message_event, message_event_borrow_event_const)                   \
	F(message_next, message_iterator_next)                               \
	F(message_put, message_put_ref)                                      \
	F(message_time, message_event_borrow_default_clock_snapshot_const)   \
	F(message_type, message_get_type)                                    \
	F(option, field_option_borrow_field_const)                           \
	F(packet_context, packet_borrow_context_field_const)                 \
	F(plugin_find, plugin_find)                                          \
	F(plugin_put, plugin_put_ref)                                        \
	F(push_string, value_array_append_string_element)                    \
	F(signed_value, field_integer_signed_get_value)                      \
	F(sink_add, graph_add_simple_sink_component)                         \
	F(sink_input, component_sink_borrow_input_port_by_index_const)       \
	F(source_add, graph_add_source_component)                            \
	F(source_class, plugin_borrow_source_component_class_by_name_const)  \
	F(source_output, component_source_borrow_output_port_by_index_const) \
	F(source_outputs, component_source_get_output_port_count)            \
	F(stream_class, stream_borrow_class_const)                           \
	F(stream_clock, stream_class_borrow_default_clock_class_const)       \
	F(stream_packets, stream_class_supports_packets)                     \
	F(stream_trace, stream_borrow_trace_const)                           \
	F(string_value, field_string_get_value)                              \
	F(time_ns, clock_snapshot_get_ns_from_origin)                        \
	F(unsigned_value, field_integer_unsigned_get_value)                  \
	F(value_put, value_put_ref)                                          \
	F(value_text, value_string_get)                                      \
	F(value_is, value_get_type)                                          \
	F(variant, field_variant_borrow_selected_option_field_const)

struct babeltrace {
#define F(name, function) __typeof__(bt_##function) *name;
	BABELTRACE_FUNCTIONS(F)
#undef F
};

/* Fills *ret. ERR_NEED: the library is not installed, or lacks a function. */
bool babeltrace_load(struct babeltrace *ret, struct err *err) MUST_CHECK;

#endif
