-- Nothing else in kanon's schema is taken for a function of kanon's: a better match would
-- run in the next release with the rights of its owner.
CREATE FUNCTION public.kanon_view_cell(cells record, field text, kind text) RETURNS text
LANGUAGE plpgsql AS 'BEGIN RETURN kind; END';
CREATE FUNCTION kanon_set_attribute(text, text, text) RETURNS void LANGUAGE sql AS '';
CREATE PROCEDURE kanon_refresh_release(text) LANGUAGE sql AS '';
CREATE AGGREGATE kanon_mondrian_tree(int) (SFUNC = int4pl, STYPE = int4);
CREATE SCHEMA overload;
CREATE FUNCTION overload.kanon_leaf(text, text) RETURNS int LANGUAGE sql AS 'SELECT 1';
ALTER FUNCTION overload.kanon_leaf SET SCHEMA public;
CREATE FUNCTION leaf(text, text) RETURNS int LANGUAGE sql AS 'SELECT 1';
ALTER ROUTINE leaf RENAME TO kanon_leaf;
DROP FUNCTION leaf;
-- .. nor a type, which is called like a function to cast to it, and may have checks
CREATE DOMAIN kanon_view_seed AS int;
CREATE TYPE kanon_check AS ENUM ('t', 'f');
CREATE TYPE kanon_view_cell AS RANGE (SUBTYPE = int4);
CREATE DOMAIN overload.kanon_drop_release AS text;
ALTER DOMAIN overload.kanon_drop_release SET SCHEMA public;
CREATE TYPE mood AS ENUM ('t', 'f');
ALTER TYPE mood RENAME TO kanon_check;
DROP TYPE mood;
-- kanon's own may be changed by whoever owns them, and other names are free
ALTER FUNCTION kanon_leaf(kanon_tree, record) COST 10;
CREATE FUNCTION kanon_of_ours(int) RETURNS int LANGUAGE sql AS 'SELECT 1';
CREATE TABLE kanon_check (a int);
DROP TABLE kanon_check;
DROP FUNCTION kanon_of_ours;
SELECT kanon_refuse_overloads();
DROP SCHEMA overload CASCADE;
