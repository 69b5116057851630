# kanon: PGXS build.  `make help` lists the goals.  Those that are scripts in
# tools/ do all their own set-up, also on a machine without PostgreSQL; every
# other goal needs pg_config.
EXTENSION = kanon
KANON_VERSION := $(shell sed -n "s/^default_version = '\(.*\)'/\1/p" kanon.control)
MODULE_big = kanon

SOURCES := $(sort $(wildcard src/*/*.c))
KANON_HEADERS := $(sort $(wildcard src/*/*.h))
OBJS := $(SOURCES:.c=.o)

# The SQL declarations lie beside their C entry points; order matters here.
FRAGMENTS := module attribute model search risk recoding tree release cohort history compare check
SQL_SOURCES := $(FRAGMENTS:%=src/api/%.sql)
DATA_built = kanon--$(KANON_VERSION).sql
# Versions that one can come from; and, for tests alone, their scripts: OLD_SCRIPTS=yes.
DATA = $(wildcard upgrade/*.sql) $(if $(OLD_SCRIPTS),$(wildcard test/upgrade/kanon--*.sql))

# -isystem: PostgreSQL's own headers are not ours to warn about.
PG_CPPFLAGS = -Isrc -isystem $(SERVER_HEADERS)
PG_CFLAGS = -Wall -Wextra

REGRESS := $(patsubst sql/%.sql,%,$(sort $(wildcard sql/*.sql)))
# RESULTS: where installcheck writes, for one who cannot write here.
REGRESS_OPTS = --inputdir=. --load-extension=kanon $(RESULTS:%=--outputdir=%)
ISOLATION := $(patsubst test/specs/%.spec,%,$(sort $(wildcard test/specs/*.spec)))
ISOLATION_OPTS = --inputdir=test --load-extension=kanon $(RESULTS:%=--outputdir=%/isolation)
EXTRA_CLEAN = build

TOOLS := setup check check-all citus attack cohorts bare versions upgrade outside fuzz demo bench sanitize assert coverage package format reference rooms look
STANDALONE_GOALS := help dist property sequence $(TOOLS)
PG_CONFIG ?= pg_config

ifeq ($(filter $(STANDALONE_GOALS),$(MAKECMDGOALS)),)
PGXS := $(wildcard $(shell $(PG_CONFIG) --pgxs 2>/dev/null))
SERVER_HEADERS := $(shell $(PG_CONFIG) --includedir-server 2>/dev/null)
MAJOR := $(shell $(PG_CONFIG) --version 2>/dev/null | sed 's/[^0-9]*\([0-9]*\).*/\1/')
# The client's packages bring pg_config and PGXS without the server's headers.
ifeq ($(and $(PGXS),$(wildcard $(SERVER_HEADERS)/postgres.h)),)
$(error no PostgreSQL server headers by `$(PG_CONFIG)`$(if $(SERVER_HEADERS), (no $(SERVER_HEADERS)/postgres.h)): \
	install postgresql-server-dev-$(or $(MAJOR),N for your server's version N), or run `make setup`, or set PG_CONFIG)
endif
include $(PGXS)

# The pages, what they link to and the demo, in a directory of their own beside PostgreSQL's.
DOC_DIR := $(docdir)/kanon
DOC_FILES := $(wildcard README.md CHANGELOG.md CONTRIBUTING.md LICENSE docs/*.md docs/pictures/*.svg test/bench/README.md tools/demo.sql)
install: install-pages
uninstall: uninstall-pages
.PHONY: install-pages uninstall-pages
install-pages:
	for file in $(DOC_FILES); do \
		$(MKDIR_P) "$(DESTDIR)$(DOC_DIR)/$$(dirname $$file)" && \
		$(INSTALL_DATA) "$(srcdir)/$$file" "$(DESTDIR)$(DOC_DIR)/$$file" || exit; done
uninstall-pages:
	rm -rf '$(DESTDIR)$(DOC_DIR)'
else
.PHONY: $(STANDALONE_GOALS)
help:
	@sed -n 's/^# \?//p' tools/help.txt
$(TOOLS):
	@tools/$@
# What PGXN takes: the tracked files, under the name and version of META.json.
dist:
	mkdir -p build
	git -c safe.directory='*' archive --format zip --prefix kanon-$(KANON_VERSION)/ --output build/kanon-$(KANON_VERSION).zip HEAD
# A long run of one suite of `make check`.
property: export CASES ?= 20000
property: export SUITE_SECONDS ?= 7200
property: export PROPERTY_SECONDS ?=
property:
	@tools/check property
sequence: export SEQUENCE_SECONDS ?= 600
sequence: export SUITE_SECONDS ?= 7200
sequence:
	@tools/check sequence
endif

kanon--$(KANON_VERSION).sql: $(SQL_SOURCES) kanon.control
	cat $(SQL_SOURCES) > $@

# Debian's PostgreSQL is built without autodepend: every object depends on
# every header, which is cheap to say and never stale.
$(OBJS) $(OBJS:.o=.bc): $(KANON_HEADERS)
