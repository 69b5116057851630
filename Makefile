# kanon: PGXS build.  `make demo` and `make check` do all their own set-up,
# also on a machine without PostgreSQL; every other goal needs pg_config.
EXTENSION = kanon
KANON_VERSION := $(shell sed -n "s/^default_version = '\(.*\)'/\1/p" kanon.control)
MODULE_big = kanon

SOURCES := $(sort $(wildcard src/*/*.c))
KANON_HEADERS := $(sort $(wildcard src/*/*.h))
OBJS := $(SOURCES:.c=.o)

# The SQL declarations lie beside their C entry points; order matters here.
FRAGMENTS := module attribute dimension search check release
SQL_SOURCES := $(FRAGMENTS:%=src/api/%.sql)
DATA_built = kanon--$(KANON_VERSION).sql

# -isystem: PostgreSQL's own headers are not ours to warn about.
PG_CPPFLAGS = -I$(CURDIR)/src -isystem $(shell $(PG_CONFIG) --includedir-server)
PG_CFLAGS = -Wall -Wextra

REGRESS = $(patsubst sql/%.sql,%,$(sort $(wildcard sql/*.sql)))
REGRESS_OPTS = --inputdir=.
EXTRA_CLEAN = build

STANDALONE_GOALS := help setup check demo
PG_CONFIG ?= pg_config

ifeq ($(filter $(STANDALONE_GOALS),$(MAKECMDGOALS)),)
PGXS := $(wildcard $(shell $(PG_CONFIG) --pgxs 2>/dev/null))
ifeq ($(PGXS),)
$(error PGXS not found: install the PostgreSQL server headers (Debian: postgresql-server-dev-15) or run `make setup`)
endif
include $(PGXS)
else
.PHONY: $(STANDALONE_GOALS)
help:
	@sed -n 's/^# //p' tools/help.txt
setup check demo:
	tools/$@
endif

kanon--$(KANON_VERSION).sql: $(SQL_SOURCES) kanon.control
	cat $(SQL_SOURCES) > $@

# Debian's PostgreSQL is built without autodepend: every object depends on
# every header, which is cheap to say and never stale.
$(OBJS) $(OBJS:.o=.bc): $(KANON_HEADERS)
