CREATE FUNCTION kanon_report(release regclass)
RETURNS text LANGUAGE c STABLE COST 100000 AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION kanon_report(regclass) IS
    'makes a page of HTML about a release, for its owner to hand out: what was released, checks run now, risk, loss and history as pictures, and what the release does not protect from; figures of its table are rounded';
