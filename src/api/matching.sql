CREATE FUNCTION kanon_ring(k int, "rows" record, quasi_identifiers name[] DEFAULT NULL,
    dimensions regclass[] DEFAULT NULL, randomize boolean DEFAULT true, seed text DEFAULT NULL)
RETURNS record LANGUAGE c WINDOW VOLATILE PARALLEL RESTRICTED AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_ring(int, record, name[], regclass[], boolean, text) IS
    'non-homogeneous generalization by rings of neighbours: the generalized values of a record that covers the row, drawn at random from k';

CREATE FUNCTION kanon_two_phase(k int, "rows" record, quasi_identifiers name[] DEFAULT NULL,
    dimensions regclass[] DEFAULT NULL, randomize boolean DEFAULT true, seed text DEFAULT NULL)
RETURNS record LANGUAGE c WINDOW VOLATILE PARALLEL RESTRICTED AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_two_phase(int, record, name[], regclass[], boolean, text) IS
    'non-homogeneous generalization by matchings of least loss: the generalized values of a record that covers the row, drawn at random from k';
