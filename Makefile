# SPDX-License-Identifier: GPL-3.0-or-later
# Builds obit: plain make. FLAVOUR=plain|san|cov|fuzz|mut; each has its own folder, so flags never mix.

VERSION := 0.1
FLAVOUR ?= plain
PREFIX ?= /usr/local
# What is made is said in a word; V=1 shows the commands, make -s nothing.
V ?= 0
Q := $(if $(filter 1,$(V)),,@)
said = $(if $(filter 1,$(V))$(findstring s,$(firstword -$(MAKEFLAGS))),,$(info $()  $(1) $@))
B := build/$(FLAVOUR)

PKGS := libdw libelf readline zlib libdeflate liblzma lzo2 snappy libzstd liblz4 libtraceevent
# These are loaded when they are needed: core/image/capstone.c, core/shell/fleet/sqlite.c, readers/ctf/babeltrace.c,
# readers/dump/libkdumpfile_load.c, and libfec, which has no .pc (nor has libfdt): readers/pstore/fec.c. Of libbpf
# the header is enough but for tests.
LOADED := libbpf capstone sqlite3 babeltrace2 libkdumpfile
PKG_LIBS := $(shell pkg-config --libs $(PKGS) 2>/dev/null) -lfdt
TEST_LIBS := $(shell pkg-config --libs libbpf 2>/dev/null)
PKG_CFLAGS := $(shell pkg-config --cflags $(PKGS) $(LOADED) 2>/dev/null)

# One that is missing would take all flags with it, and the header of another be blamed.
ifneq ($(filter-out clean uninstall format lint,$(or $(MAKECMDGOALS),all)),)
ifneq ($(filter-out 0,$(.SHELLSTATUS)),)
MISSING := $(shell command -v pkg-config >/dev/null || echo pkg-config; \
	for p in $(PKGS) $(LOADED); do pkg-config --exists $$p 2>/dev/null || echo $$p; done)
endif
MISSING += $(shell $(CC) -E -x c /dev/null >/dev/null 2>&1 || { echo '$(CC)'; exit; }; for p in fec libfdt; do \
	echo "\#include <$$p.h>" | $(CC) $(CPPFLAGS) -E - >/dev/null 2>&1 || echo $$p.h; done)
ifneq ($(strip $(MISSING)),)
$(error not installed: $(strip $(MISSING)). 'sh scripts/setup' installs what obit is built with)
endif
endif

WARN := -Wall -Wextra -Wno-missing-field-initializers -Wshadow -Wvla -Wstrict-prototypes -Wmissing-prototypes -Wformat=2 -Wundef
CPPFLAGS += -I. -I$(B) -D_GNU_SOURCE $(PKG_CFLAGS)
ALL_CFLAGS = -std=c11 -g $(WARN) $(WERROR) $(FLAGS_$(FLAVOUR)) $(CFLAGS)

FLAGS_plain := -O2 -Wframe-larger-than=8192
FLAGS_san := -O1 -fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=undefined
FLAGS_cov := -O0 --coverage
FLAGS_fuzz := -O1 -fsanitize=fuzzer-no-link,address,undefined -fno-omit-frame-pointer
FLAGS_mut := -O1 -fPIC
ifeq ($(FLAVOUR),fuzz)
CC := clang
endif

ALL_C := $(sort $(wildcard core/*/*.c core/*/*/*.c readers/*.c readers/*/*.c))
ALL_CMD_C := $(sort $(wildcard commands/*.c commands/*/*.c))
TEST_C := $(filter %_test.c,$(ALL_C) $(ALL_CMD_C))
FUZZ_C := $(filter %_fuzz.c,$(ALL_C) $(ALL_CMD_C))
MAIN_C := core/shell/main.c
LIB_C := $(filter-out $(TEST_C) $(FUZZ_C) $(MAIN_C),$(ALL_C))
CMD_C := $(filter-out $(TEST_C) $(FUZZ_C),$(ALL_CMD_C))
OBJ = $(patsubst %.c,$(B)/%.o,$(1))

# What programs are linked with.
PARTS := $(call OBJ,$(CMD_C)) $(B)/lists.o $(B)/libobit.a

TESTS := $(patsubst %.c,$(B)/%,$(TEST_C))
# Readers whose fuzz target asks no more than what every file can be asked: they have no source of their own.
FUZZ_READERS := $(addprefix readers/,dump/elfcore dump/flat dump/kdump dump/lime dump/qemustream dump/sadump dump/vmware \
	symbol/vmlinux pstore/pstoreblk pstore/ramoops \
	trace/chrometrace trace/perfdata trace/perftext trace/rawtrace trace/ringimage trace/tracedat trace/tracetext)
FUZZ_NAMES := $(FUZZ_C:.c=) $(FUZZ_READERS:%=%_fuzz)
FUZZERS := $(FUZZ_NAMES:%=$(B)/%)

.PHONY: all check check-unit check-fuzz fuzz tests fuzzers bench lint man install uninstall clean format FORCE
.DELETE_ON_ERROR:

all: $(B)/obit

$(B)/obit: $(call OBJ,$(MAIN_C)) $(B)/version.o $(PARTS)
	$(call said,LINK)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(PKG_LIBS) $(LDLIBS)

$(B)/libobit.a: $(call OBJ,$(LIB_C))
	$(call said,AR  )
	$(Q)rm -f $@
	$(Q)$(AR) rcs $@ $(filter %.o,$^)

# The command and reader tables are collected from their folders: one file more is one row more.
$(B)/lists.c: scripts/dev/lists $(B)/sources.stamp
	$(call said,LIST)
	$(Q)sh scripts/dev/lists >$@.tmp && mv $@.tmp $@
$(B)/lists.o: $(B)/lists.c $(B)/flags.stamp
	$(call said,CC  )
	$(Q)$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# A test's frames are its own affair; the program's fit a stack of 128 KiB.
$(B)/%_test.o $(B)/%_fuzz.o: private ALL_CFLAGS += -Wno-frame-larger-than

# Rewritten only when the set of files or the flags change, so that everything that depends on them rebuilds.
$(B)/sources.stamp: FORCE
	@mkdir -p $(B)
	@echo "$(LIB_C) $(CMD_C)" | cmp -s - $@ || echo "$(LIB_C) $(CMD_C)" >$@
$(B)/flags.stamp: FORCE
	@mkdir -p $(B)
	@echo '$(CC) $(CPPFLAGS) $(ALL_CFLAGS)' | cmp -s - $@ || echo '$(CC) $(CPPFLAGS) $(ALL_CFLAGS)' >$@
$(B)/libobit.a: $(B)/sources.stamp

# The commit stands behind the number where there is one. No test or library has it: a commit is one link.
$(B)/version.c: FORCE
	@mkdir -p $(B)
	@commit=$$(test -e .git && git describe --always --dirty --abbrev=12 2>/dev/null) || :; \
	printf '#include "core/shell/version.h"\nconst char obit_version[] = "$(VERSION)%s";\n' \
		"$${commit:+ ($$commit)}" >$@.tmp; cmp -s $@.tmp $@ && rm $@.tmp || mv $@.tmp $@
$(B)/version.o: $(B)/version.c $(B)/flags.stamp
	$(call said,CC  )
	$(Q)$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(B)/%.o: %.c $(B)/flags.stamp
	@mkdir -p $(@D)
	$(call said,CC  )
	$(Q)$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# It loads the library by the name that the one which it is built with has.
$(B)/readers/dump/libkdumpfile_load.o: private CPPFLAGS += $(KDUMPFILE_SONAME:%=-DLIBKDUMPFILE_SONAME='"%"')
KDUMPFILE_SONAME = $(shell objdump -p "$$(pkg-config --variable=libdir libkdumpfile 2>/dev/null)/libkdumpfile.so" 2>/dev/null | sed -n 's/^ *SONAME *//p')

# It holds the table of functions as it is, by the assembler's .incbin.
$(B)/core/report/judge/class.o: core/report/judge/places.txt

# Unit tests stand beside the code: core/base/bytes_test.c is a program that links against the library.
$(B)/%_test: $(B)/%_test.o $(PARTS)
	$(call said,LINK)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(PKG_LIBS) $(TEST_LIBS) $(LDLIBS)

# What scripts/dev/run-readers compares two readers with.
$(B)/pages: $(B)/scripts/dev/pages.o $(PARTS)
	$(call said,LINK)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(PKG_LIBS) $(LDLIBS)

# For scripts/dev/mutate the tests share one library: a changed file is then one link, not one for each test. The
# tests that read their own debug information are linked as ever.
ifeq ($(FLAVOUR),mut)
$(B)/libobit.so: $(call OBJ,$(LIB_C)) $(call OBJ,$(CMD_C)) $(B)/lists.o
	$(call said,LINK)
	$(Q)$(CC) $(ALL_CFLAGS) -shared -o $@ $^ $(PKG_LIBS) $(LDLIBS)
SELF_TESTS := $(patsubst %.c,$(B)/%,$(shell grep -lE "/proc/self/exe|dwarf_self" $(TEST_C)))
$(filter-out $(SELF_TESTS),$(TESTS)): $(B)/%_test: $(B)/%_test.o | $(B)/libobit.so
	$(call said,LINK)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $< $(B)/libobit.so -Wl,-rpath,$(abspath $(B)) $(PKG_LIBS) $(TEST_LIBS) $(LDLIBS)
endif

# A fuzz target defines LLVMFuzzerTestOneInput; outside FLAVOUR=fuzz it is linked with a main that replays files.
ifeq ($(FLAVOUR),fuzz)
FUZZ_MAIN :=
FUZZ_LINK := -fsanitize=fuzzer
else
FUZZ_MAIN := $(B)/scripts/dev/fuzz_replay.o
FUZZ_LINK :=
endif
$(B)/%_fuzz: $(B)/%_fuzz.o $(FUZZ_MAIN) $(PARTS)
	$(call said,LINK)
	$(Q)$(CC) $(ALL_CFLAGS) $(FUZZ_LINK) $(LDFLAGS) -o $@ $^ $(PKG_LIBS) $(TEST_LIBS) $(LDLIBS)

$(FUZZ_READERS:%=$(B)/%_fuzz.o): $(B)/%_fuzz.o: scripts/dev/fuzz_reader.c $(B)/flags.stamp
	@mkdir -p $(@D)
	$(call said,CC  )
	$(Q)$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -DREADER=reader_$(notdir $*) -MMD -MP -c -o $@ $<

# This test reads its own object file, which make would else remove as an intermediate one.
$(B)/readers/symbol/module_test: $(B)/readers/symbol/module_test.o

tests: $(TESTS)
fuzzers: $(FUZZERS)

check:
	sh scripts/check --no-setup

check-unit: $(TESTS)
	sh scripts/dev/run-unit $(TESTS)

check-fuzz: $(FUZZERS)
	sh scripts/dev/run-fuzz $(FUZZERS)

# make fuzz T=10m [ONLY='format btf']: every target guided by coverage, T in all, leaks counted.
T ?= 10m
ONLY ?= $(patsubst %_fuzz,%,$(notdir $(FUZZ_NAMES)))
GUIDED = $(foreach t,$(ONLY),$(patsubst %,build/fuzz/%,$(filter %/$(t)_fuzz,$(FUZZ_NAMES))))
fuzz:
	@$(MAKE) --no-print-directory -s -j2 FLAVOUR=fuzz $(GUIDED)
	@sh scripts/dev/fuzz $(T) $(GUIDED)

lint:
	sh scripts/dev/lint

format:
	clang-format -i $$(git ls-files '*.c' '*.h')

bench: all
	sh scripts/bench

man: $(B)/obit.1
$(B)/obit.1: man/obit.1.in $(B)/obit
	$(call said,MAN )
	$(Q)sh scripts/dev/man $(B)/obit man/obit.1.in >$@.tmp && mv $@.tmp $@

install: all man
	install -D -m 755 $(B)/obit $(DESTDIR)$(PREFIX)/bin/obit
	install -D -m 644 $(B)/obit.1 $(DESTDIR)$(PREFIX)/share/man/man1/obit.1

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/obit $(DESTDIR)$(PREFIX)/share/man/man1/obit.1

clean:
	rm -rf build

FORCE:

-include $(shell find $(B) -name '*.d' 2>/dev/null)
