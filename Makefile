# SPDX-License-Identifier: GPL-3.0-or-later
# Builds obit: plain make. FLAVOUR=plain|san|cov|fuzz|mut; each has its own folder, so flags never mix.

VERSION := 0.1
FLAVOUR ?= plain
prefix ?= /usr/local
PREFIX ?= $(prefix)
# Debian's own packages have zsh's files in vendor-completions.
ZSH_DIR ?= $(PREFIX)/share/zsh/site-functions
# What is made is said in a word; V=1 shows the commands, make -s nothing.
V ?= 0
Q := $(if $(filter 1,$(V)),,@)
said = $(if $(filter 1,$(V))$(findstring s,$(firstword -$(MAKEFLAGS))),,$(info $()  $(1) $@))
B := build/$(FLAVOUR)

# What obit is linked with, and what it loads when that is needed: core/image/capstone.c, core/shell/fleet/sqlite.c,
# readers/dump/libkdumpfile_load.c, readers/ctf/babeltrace.c. The last two not every system has: without them obit says
# what it was built without. libfec is declared in readers/pstore/fec.h. scripts/dev/libraries says what stands here.
LIBRARIES := link:libdw:elfutils/libdw.h:-ldw link:libelf:libelf.h:-lelf link:readline:readline/readline.h:-lreadline \
	link:zlib:zlib.h:-lz link:libdeflate:libdeflate.h:-ldeflate link:liblzma:lzma.h:-llzma \
	link:lzo2:lzo/lzo1x.h:-llzo2 link:snappy:snappy-c.h:-lsnappy link:libzstd:zstd.h:-lzstd link:liblz4:lz4.h:-llz4 \
	link:libtraceevent:traceevent/event-parse.h:-ltraceevent link:libfdt:libfdt.h:-lfdt \
	load:capstone:capstone/capstone.h: load:sqlite3:sqlite3.h: \
	may:libkdumpfile:libkdumpfile/kdumpfile.h: may:babeltrace2:babeltrace2/babeltrace.h:
ifneq ($(filter-out clean uninstall format lint dist,$(or $(MAKECMDGOALS),all)),)
FOUND := $(shell sh scripts/dev/libraries $(LIBRARIES) -- $(CC) $(CPPFLAGS))
ifneq ($(filter missing=%,$(FOUND)),)
$(error not installed: $(patsubst missing=%,%,$(filter missing=%,$(FOUND))). 'sh scripts/setup' installs what obit is built with)
endif
endif
# What libtraceevent before 1.5 lacks, core/trace/print does without.
PKG_OLD := $(shell echo 'int is_there = TEP_FIELD_IS_RELATIVE;' | $(CC) $(CPPFLAGS) $(patsubst cflag=%,%,$(filter cflag=%,$(FOUND))) \
	-include stdbool.h -include traceevent/event-parse.h -fsyntax-only -x c - 2>/dev/null || echo -DOLD_LIBTRACEEVENT)
WITHOUT := $(patsubst without=%,%,$(filter without=%,$(FOUND)))
ifneq ($(WITHOUT),)
$(info not installed: $(WITHOUT). obit is built without it)
endif
# Before glibc 2.34 dlopen() was in a library of its own; others have an empty one.
PKG_LIBS := $(patsubst lib=%,%,$(filter lib=%,$(FOUND))) -ldl
# Tests have types written by libbpf.
TEST_LIBS := $(shell pkg-config --libs libbpf 2>/dev/null || echo -lbpf)
PKG_CFLAGS := $(sort $(patsubst cflag=%,%,$(filter cflag=%,$(FOUND)))) $(PKG_OLD)

WARN := -Wall -Wextra -Wno-missing-field-initializers -Wshadow -Wvla -Wstrict-prototypes -Wmissing-prototypes -Wformat=2 -Wundef
ALL_CPPFLAGS = -I. -I$(B) -D_GNU_SOURCE $(PKG_CFLAGS) $(CPPFLAGS)
ALL_CFLAGS = -std=c11 -g $(WARN) $(WERROR) $(FLAGS_$(FLAVOUR)) $(CFLAGS)

FLAGS_plain := -O2 -Wframe-larger-than=8192
FLAGS_san := -O1 -fPIC -fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=undefined
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
# Of these either the first or the second is compiled.
WITH_libkdumpfile := readers/dump/libkdumpfile_child.c readers/dump/libkdumpfile_load.c
WITHOUT_libkdumpfile := readers/dump/libkdumpfile_without.c
WITH_babeltrace2 := $(addprefix readers/ctf/,babeltrace.c ctfgraph.c ctfmend.c ctfshape.c ctfwrite.c)
WITHOUT_babeltrace2 := readers/ctf/ctf_without.c
OTHER_C := $(foreach l,libkdumpfile babeltrace2,$($(if $(filter $(l),$(WITHOUT)),WITH,WITHOUT)_$(l)))
LIB_C := $(filter-out $(TEST_C) $(FUZZ_C) $(MAIN_C) $(OTHER_C),$(ALL_C))
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

.PHONY: all objects check check-unit check-fuzz fuzz tests fuzzers bench lint man completion install uninstall dist bundle clean format FORCE
.DELETE_ON_ERROR:
# Objects of tests stay: else a first build removes them, and the next one makes all tests anew. One reads its own.
.SECONDARY:

all: $(B)/obit

# All that obit is linked of.
objects: $(call OBJ,$(MAIN_C)) $(B)/version.o $(PARTS)

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
	$(Q)$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# A test's frames are its own affair; the program's fit a stack of 128 KiB.
$(B)/%_test.o $(B)/%_fuzz.o: private ALL_CFLAGS += -Wno-frame-larger-than

# Rewritten only when the set of files or the flags change, so that everything that depends on them rebuilds.
$(B)/sources.stamp: FORCE
	@mkdir -p $(B)
	@echo "$(LIB_C) $(CMD_C)" | cmp -s - $@ || echo "$(LIB_C) $(CMD_C)" >$@
$(B)/flags.stamp: FORCE
	@mkdir -p $(B)
	@echo '$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS)' | cmp -s - $@ || echo '$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS)' >$@
$(B)/libobit.a: $(B)/sources.stamp

# The commit stands behind the number where there is one. No test or library has it: a commit is one link.
$(B)/version.c: FORCE
	@mkdir -p $(B)
	@commit=$$(test -e .git && git describe --always --dirty --abbrev=12 2>/dev/null) || :; \
	printf '#include "core/shell/version.h"\nconst char obit_version[] = "$(VERSION)%s";\n' \
		"$${commit:+ ($$commit)}" >$@.tmp; cmp -s $@.tmp $@ && rm $@.tmp || mv $@.tmp $@
$(B)/version.o: $(B)/version.c $(B)/flags.stamp
	$(call said,CC  )
	$(Q)$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(B)/%.o: %.c $(B)/flags.stamp
	@mkdir -p $(@D)
	$(call said,CC  )
	$(Q)$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# It loads the library by the name that the one which it is built with has.
$(B)/readers/dump/libkdumpfile_load.o: private ALL_CPPFLAGS += $(KDUMPFILE_SONAME:%=-DLIBKDUMPFILE_SONAME='"%"')
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

# Where hundreds of programs would be large, or linked again for each changed file, they share one library. The tests
# that read their own debug information are linked as ever; the others do without it where they share nothing.
SELF_TESTS := $(patsubst %.c,$(B)/%,$(shell grep -lE "/proc/self/exe|dwarf_self" $(TEST_C)))
ifneq ($(filter mut san,$(FLAVOUR)),)
$(B)/libobit.so: $(call OBJ,$(LIB_C)) $(call OBJ,$(CMD_C)) $(B)/lists.o
	$(call said,LINK)
	$(Q)$(CC) $(ALL_CFLAGS) -shared -o $@ $^ $(PKG_LIBS) $(LDLIBS)
SHARED := $(B)/libobit.so -Wl,-rpath,$(abspath $(B))
$(filter-out $(SELF_TESTS),$(TESTS)): $(B)/%_test: $(B)/%_test.o | $(B)/libobit.so
	$(call said,LINK)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $< $(SHARED) $(PKG_LIBS) $(TEST_LIBS) $(LDLIBS)
else
$(filter-out $(SELF_TESTS),$(TESTS)): private LDFLAGS += -Wl,-S
endif

# A fuzz target defines LLVMFuzzerTestOneInput; outside FLAVOUR=fuzz it is linked with a main that replays files.
ifeq ($(FLAVOUR),fuzz)
FUZZ_MAIN :=
FUZZ_LINK := -fsanitize=fuzzer
else
FUZZ_MAIN := $(B)/scripts/dev/fuzz_replay.o
FUZZ_LINK :=
endif
ifdef SHARED
$(FUZZERS): $(B)/%_fuzz: $(B)/%_fuzz.o $(FUZZ_MAIN) | $(B)/libobit.so
	$(call said,LINK)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(SHARED) $(PKG_LIBS) $(TEST_LIBS) $(LDLIBS)
endif
$(B)/%_fuzz: $(B)/%_fuzz.o $(FUZZ_MAIN) $(PARTS)
	$(call said,LINK)
	$(Q)$(CC) $(ALL_CFLAGS) $(FUZZ_LINK) $(LDFLAGS) -o $@ $^ $(PKG_LIBS) $(TEST_LIBS) $(LDLIBS)

$(FUZZ_READERS:%=$(B)/%_fuzz.o): $(B)/%_fuzz.o: scripts/dev/fuzz_reader.c $(B)/flags.stamp
	@mkdir -p $(@D)
	$(call said,CC  )
	$(Q)$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -DREADER=reader_$(notdir $*) -MMD -MP -c -o $@ $<

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

# A page is made of prose, of the tables of the program that it is of, and of texts whose commands are run as tests.
PAGES := $(patsubst man/%.in,%,$(wildcard man/*.in))
man: $(PAGES:%=$(B)/%)
$(PAGES:%=$(B)/%): $(B)/%: man/%.in man/tour.md README.md scripts/dev/man $(B)/obit
	$(call said,MAN )
	$(Q)sh scripts/dev/man $(B)/obit man/$*.in >$@.tmp && mv $@.tmp $@

# What shells complete is made of the tables of the program that they complete.
SHELLS := bash zsh fish
completion: $(SHELLS:%=$(B)/completion.%)
$(B)/completion.%: $(B)/obit
	$(call said,SH  )
	$(Q)$(B)/obit --completion $* >$@.tmp && mv $@.tmp $@

# MODE:FROM:TO of all that is installed; uninstall removes the same.
SHARE := $(PREFIX)/share
EXAMPLES := $(wildcard scripts/ci/* scripts/fleet/*)
INSTALLED := 755:$(B)/obit:$(PREFIX)/bin/obit $(foreach p,$(PAGES),644:$(B)/$(p):$(SHARE)/man/man$(lastword $(subst ., ,$(p)))/$(p)) \
	644:$(B)/completion.bash:$(SHARE)/bash-completion/completions/obit 644:$(B)/completion.zsh:$(ZSH_DIR)/_obit \
	644:$(B)/completion.fish:$(SHARE)/fish/vendor_completions.d/obit.fish \
	$(foreach f,README.md CHANGELOG.md,644:$(f):$(SHARE)/doc/obit/$(f)) \
	$(foreach f,$(EXAMPLES),644:$(f):$(SHARE)/doc/obit/examples/$(f:scripts/%=%))

install: all man completion
	$(Q)set -e; for f in $(INSTALLED); do mode=$${f%%:*} f=$${f#*:}; \
		install -D -m $$mode $${f%%:*} "$(DESTDIR)$${f#*:}"; done

uninstall:
	$(Q)for f in $(INSTALLED); do rm -f "$(DESTDIR)$${f##*:}"; done
	$(Q)rmdir "$(DESTDIR)$(SHARE)/doc/obit/examples/"* "$(DESTDIR)$(SHARE)/doc/obit/examples" "$(DESTDIR)$(SHARE)/doc/obit" 2>/dev/null || :

# The same bytes each time, in the clone as in what is unpacked of it.
dist:
	@sh scripts/package/dist $(VERSION) build

# One file that runs on any Linux of this machine's kind.
bundle: all man
	@sh scripts/package/bundle -b $(B) $(VERSION) build

clean:
	rm -rf build

FORCE:

-include $(shell find $(B) -name '*.d' 2>/dev/null)
