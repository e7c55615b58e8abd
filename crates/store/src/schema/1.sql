-- Format 1. A step, once released, is never edited: a change of the tables is a new step.
--
-- Each table with bodies keeps its key in an index of its own (UNIQUE beside SQLite's rowid) rather
-- than as the key of the table: keys are then listed without touching the pages that hold bodies,
-- which is fast, and a damaged page costs only the records on it.
--
-- seal: a hash over the other columns. SQLite has no checksums, and a flipped bit in a number would
-- otherwise pass as a result.

CREATE TABLE plan (
    only     INTEGER PRIMARY KEY CHECK (only = 1),
    created  INTEGER NOT NULL,
    whodunit TEXT    NOT NULL,
    body     TEXT    NOT NULL,
    seal     TEXT    NOT NULL
) STRICT;

CREATE TABLE program (
    idx     INTEGER NOT NULL UNIQUE,
    seed    INTEGER NOT NULL,  -- the 64 bits of an unsigned number
    outcome TEXT    NOT NULL,
    cpu_ms  INTEGER NOT NULL,
    body    TEXT    NOT NULL,
    seal    TEXT    NOT NULL
) STRICT;
CREATE INDEX program_outcome ON program (outcome);

CREATE TABLE finding (
    program   INTEGER NOT NULL,
    ordinal   INTEGER NOT NULL,
    kind      TEXT    NOT NULL,
    signature TEXT    NOT NULL,
    body      TEXT    NOT NULL,
    seal      TEXT    NOT NULL,
    UNIQUE (program, ordinal)
) STRICT;
CREATE INDEX finding_kind ON finding (kind, program, ordinal);

CREATE TABLE stage (
    program INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    stage   TEXT    NOT NULL,
    body    TEXT    NOT NULL,
    seal    TEXT    NOT NULL,
    UNIQUE (program, ordinal, stage)
) STRICT;

CREATE TABLE session (
    number          INTEGER PRIMARY KEY,
    started         INTEGER NOT NULL,
    updated         INTEGER NOT NULL,
    ended           INTEGER,           -- NULL: running, or killed
    jobs            INTEGER NOT NULL,
    cpu_own_ms      INTEGER NOT NULL,
    cpu_children_ms INTEGER NOT NULL,
    wall_ms         INTEGER NOT NULL
) STRICT;
