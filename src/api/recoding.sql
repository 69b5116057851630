CREATE FUNCTION kanon_mondrian(k int, "rows" record, quasi_identifiers name[] DEFAULT NULL,
    models kanon_models DEFAULT '', relaxed boolean DEFAULT false, split text DEFAULT NULL,
    target name DEFAULT NULL, person name DEFAULT NULL)
RETURNS int LANGUAGE c WINDOW STABLE PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_mondrian(int, record, name[], kanon_models, boolean, text, name, name) IS
    'multidimensional recoding: the equivalence class of each row of the window partition; each class has at least k rows, or k distinct people, and satisfies all models; rare labels of a dimension go together; split: gain (default), median, infogain or regression';

CREATE FUNCTION kanon_strict_mondrian(k int, "rows" record, quasi_identifiers name[] DEFAULT NULL,
    models kanon_models DEFAULT '', split text DEFAULT NULL, target name DEFAULT NULL, person name DEFAULT NULL)
RETURNS int LANGUAGE c WINDOW STABLE PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_strict_mondrian(int, record, name[], kanon_models, text, name, name) IS
    'multidimensional recoding as in its papers: the equivalence class of each row of the window partition; a rare label of a dimension prevents a specialization; split: median (default), infogain, regression or gain';

CREATE FUNCTION kanon_local(k int, "rows" record, quasi_identifiers name[] DEFAULT NULL,
    models kanon_models DEFAULT '', person name DEFAULT NULL, suppression float8 DEFAULT 0)
RETURNS int LANGUAGE c WINDOW STABLE PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_local(int, record, name[], kanon_models, name, float8) IS
    'local recoding: the equivalence class of each row of the window partition, in classes that lose little; each has at least k rows, or k distinct people, and satisfies all models; NULL: the row is left out, as far as the suppression, a share of the rows, allows';

CREATE FUNCTION kanon_ring(k int, "rows" record, quasi_identifiers name[] DEFAULT NULL,
    dimensions regclass[] DEFAULT NULL, randomize boolean DEFAULT true, seed text DEFAULT NULL,
    "ranges" boolean DEFAULT false)
RETURNS record LANGUAGE c WINDOW VOLATILE PARALLEL RESTRICTED AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_ring(int, record, name[], regclass[], boolean, text, boolean) IS
    'non-homogeneous generalization by rings of neighbors: the generalized values of a record that covers the row, drawn at random from k; ranges: of all values without a dimension; NULL: of numbers, dates and times, as in a release; false: of none, so that a value stays or is hidden';

CREATE FUNCTION kanon_two_phase(k int, "rows" record, quasi_identifiers name[] DEFAULT NULL,
    dimensions regclass[] DEFAULT NULL, randomize boolean DEFAULT true, seed text DEFAULT NULL,
    "ranges" boolean DEFAULT false)
RETURNS record LANGUAGE c WINDOW VOLATILE PARALLEL RESTRICTED AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_two_phase(int, record, name[], regclass[], boolean, text, boolean) IS
    'non-homogeneous generalization by matchings of least loss: the generalized values of a record that covers the row, drawn at random from k; ranges: of all values without a dimension; NULL: of numbers, dates and times, as in a release; false: of none, so that a value stays or is hidden';

-- STABLE: calls that are alike are one, which a release asks for each of its cells.
CREATE FUNCTION kanon_view_cells(recoding text, k int, "rows" record, quasi_identifiers name[] DEFAULT NULL,
    dimensions regclass[] DEFAULT NULL, models kanon_models DEFAULT '', model_dimensions regclass[] DEFAULT NULL,
    person name DEFAULT NULL, seed text DEFAULT NULL, beside int DEFAULT 0, options jsonb DEFAULT NULL,
    suppression float8 DEFAULT 0, whole jsonb DEFAULT NULL, memory int DEFAULT NULL)
RETURNS record LANGUAGE c WINDOW STABLE PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_view_cells(text, int, record, name[], regclass[], kanon_models, regclass[], name, text, int, jsonb, float8, jsonb, int) IS
    'the generalized values of the rows by any recoding of rows; recodings with classes return them class by class, with the last fields of the rows beside them, so a query must not show anything else of a row; with a whole, of kanon_view_whole, Mondrian divides a node of the partition tree of a table, which is a window partition, as it does in the table, and says in the last record what its classes came to; memory: with so many kB of memory if the session has fewer and the ceiling allows them';

CREATE FUNCTION kanon_view_whole(relation regclass, quasi_identifiers name[] DEFAULT NULL,
    models kanon_models DEFAULT '', person name DEFAULT NULL)
RETURNS jsonb LANGUAGE c STABLE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_view_whole(regclass, name[], kanon_models, name) IS
    'the values of the quasi-identifiers and of the columns that models look at, with how many rows or people have each: what kanon_view_cells has to know of a table to divide a part of it alike';

CREATE FUNCTION kanon_view_node(recoding text, k int, "rows" record, quasi_identifiers name[] DEFAULT NULL,
    dimensions regclass[] DEFAULT NULL, models kanon_models DEFAULT '', model_dimensions regclass[] DEFAULT NULL,
    person name DEFAULT NULL, beside int DEFAULT 0, options jsonb DEFAULT NULL, whole jsonb DEFAULT NULL, fields name[] DEFAULT NULL, tree int[] DEFAULT NULL, memory int DEFAULT NULL)
RETURNS int[] LANGUAGE c STABLE PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_view_node(text, int, record, name[], regclass[], kanon_models, regclass[], name, int, jsonb, jsonb, name[], int[], int) IS
    'for releases that workers make: the node of a growing partition tree that a row belongs to, then where it counts, as kanon_view_counts takes it; fields: the names of the fields of rows that have lost them';

CREATE FUNCTION kanon_view_tally("row" record, columns int[], figures bytea)
RETURNS bytea LANGUAGE c VOLATILE PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_view_tally(record, int[], bytea) IS
    'for releases that parallel workers make: NULL for each row of a part, but for the last, which has its figures, what the rows hold: with their digest and the classes by these columns of the row';

CREATE FUNCTION kanon_view_count(counts bytea, places int[])
RETURNS bytea LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_view_count(bytea, int[]) IS 'the transition function of kanon_view_counts';

CREATE FUNCTION kanon_view_count_add(counts bytea, others bytea)
RETURNS bytea LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_view_count_add(bytea, bytea) IS 'the combine function of kanon_view_counts';

CREATE AGGREGATE kanon_view_counts(places int[]) (SFUNC = kanon_view_count, STYPE = bytea,
    COMBINEFUNC = kanon_view_count_add, PARALLEL = SAFE);
COMMENT ON AGGREGATE kanon_view_counts(int[]) IS
    'for releases that workers make: how many rows count at each place, from what kanon_view_node says of each';

CREATE FUNCTION kanon_view_person_row(state internal, places int[], attributes int, somebody boolean)
RETURNS internal LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_view_person_row(internal, int[], int, boolean) IS 'the transition function of kanon_view_person';

CREATE FUNCTION kanon_view_person_places(state internal)
RETURNS int[] LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_view_person_places(internal) IS 'the final function of kanon_view_person';

CREATE AGGREGATE kanon_view_person(places int[], attributes int, somebody boolean) (SFUNC = kanon_view_person_row, STYPE = internal, SSPACE = 512,
    FINALFUNC = kanon_view_person_places, PARALLEL = SAFE);
COMMENT ON AGGREGATE kanon_view_person(int[], int, boolean) IS
    'for releases that workers make: where a person counts, once in each node, from what kanon_view_node says of all her rows, by so many quasi-identifiers; rows of nobody count as rows alone';

CREATE FUNCTION kanon_view_candidates(recoding text, k int, "rows" record, quasi_identifiers name[] DEFAULT NULL,
    dimensions regclass[] DEFAULT NULL, models kanon_models DEFAULT '', model_dimensions regclass[] DEFAULT NULL,
    person name DEFAULT NULL, seed text DEFAULT NULL, beside int DEFAULT 0, options jsonb DEFAULT NULL,
    suppression float8 DEFAULT 0)
RETURNS int[] LANGUAGE c WINDOW STABLE PARALLEL RESTRICTED AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_view_candidates(text, int, record, name[], regclass[], kanon_models, regclass[], name, text, int, jsonb, float8) IS
    'the class of the row under the same recoding or, without classes, the number of its kind (rows that are alike) and then the kinds that its record covers';

CREATE FUNCTION kanon_view_cell(cells record, field text, kind anyelement)
RETURNS anyelement LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_view_cell(record, text, anyelement) IS
    'a field, by its name, of a record of kanon_view_cells, kanon_ring or kanon_two_phase, as the type of kind, whose value does not matter';

CREATE FUNCTION kanon_view_satisfies(k int, "rows" record, class name, models kanon_models DEFAULT '',
    person name DEFAULT NULL, model_dimensions regclass[] DEFAULT NULL, columns name[] DEFAULT NULL,
    known int DEFAULT NULL, memory int DEFAULT NULL)
RETURNS boolean LANGUAGE c WINDOW STABLE PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_view_satisfies(int, record, name, kanon_models, name, regclass[], name[], int, int) IS
    'whether the row may be published: its class (the rows with an equal value in the field that class names) has k rows or distinct people and satisfies all models; closeness compares with the classes that may be published; columns: these fields make the class instead, and the classes of each so many of them as known must do so; memory is that of whoever shared out the rows, in kilobytes';
