-- Adults, eight quasi-identifiers, occupation sensitive: what each model asks
-- beyond k, in generalizations, loss and time; each against the search by k
-- alone, in turn.
CREATE TABLE model_cost (id int GENERATED ALWAYS AS IDENTITY, model text, suppression float8, nodes bigint, minimal bigint, loss float8,
                         checked bigint, milliseconds float8, by_k float8);

CREATE FUNCTION search_by(models text, suppression float8) RETURNS text IMMUTABLE LANGUAGE sql AS $$
    SELECT format('kanon_incognito(''adult'', 5, ''{age,sex,race,marital_status,education,native_country,workclass,salary_class}'','
                  ' models => %L::kanon_models, suppression => %s)', models, suppression)
$$;

CREATE FUNCTION measure_model(models text, suppression float8, repeat int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    made model_cost;
    times float8[] := '{}';
    floors float8[] := '{}';
BEGIN
    EXECUTE format('SELECT count(*) AS nodes, count(*) FILTER (WHERE minimal) AS minimal, min(loss) AS loss FROM %s', search_by(models, suppression))
    INTO made.nodes, made.minimal, made.loss;
    made.checked := (SELECT sum(checked) FROM kanon_last_search());
    FOR turn IN 1 .. repeat LOOP
        floors := floors || milliseconds('SELECT count(*) FROM ' || search_by('{}', suppression));
        times := times || milliseconds('SELECT count(*) FROM ' || search_by(models, suppression));
    END LOOP;
    INSERT INTO model_cost (model, suppression, nodes, minimal, loss, checked, milliseconds, by_k)
    VALUES (replace(trim('{}"' FROM models), '","', ', '), suppression, made.nodes, made.minimal, made.loss, made.checked, median(times), median(floors));
END $$;

SELECT measure_model(model, suppression, :repeat)
FROM (VALUES (0), (0.01)) s (suppression),
     unnest('{"{}","{\"distinct(occupation, 3)\"}","{\"distinct(occupation, 6)\"}","{\"entropy(occupation, 3)\"}","{\"entropy(occupation, 6)\"}","{\"recursive(occupation, 2, 3)\"}","{\"closeness(occupation, 0.2)\"}","{\"closeness(occupation, 0.4)\"}","{\"distinct(occupation, 4)\",\"closeness(occupation, 0.4)\"}"}'::text[]) WITH ORDINALITY m (model, place)
ORDER BY suppression, place;
