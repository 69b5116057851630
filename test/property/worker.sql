-- The worker's share of the cases, each in a transaction of its own, up to that
-- moment.  Numbers above a million stand for larger tables.
SET search_path = kanon_property;
SET check_function_bodies = off;

CREATE PROCEDURE run_cases(worker int, workers int, first int, last int, seed int, until timestamptz) LANGUAGE plpgsql AS $$
DECLARE
    made test_case;
    message text;
    detail text;
    context text;
BEGIN
    FOR number IN first .. last LOOP
        CONTINUE WHEN number % workers <> worker;
        INSERT INTO outcome VALUES (number, worker, 'begun');
        COMMIT;
        RAISE INFO 'case %', number;
        EXECUTE format('CREATE SCHEMA kanon_property_%s', worker);
        PERFORM seed_case(seed, number);
        made := CASE number / 1000000
                     WHEN 1 THEN make_case(number, 7, 20000, 200, 10000, 20000)
                     WHEN 8 THEN make_case(number, 5, 2000, 6, CASE WHEN number % 50 = 0 THEN 0 ELSE 10 END, 60)
                     WHEN 9 THEN make_case(number, 7, 2000, 60, 2000, 4000)
                     WHEN 22 THEN make_case(number, 5, 1000, 6, 0, 40)
                     WHEN 23 THEN make_case(number, 5, 1000, 8, 0, 80)
                     WHEN 24 THEN make_case(number, 5, 1000, 8, 0, 40)
                     WHEN 17 THEN make_small_case(number)
                     WHEN 20 THEN make_small_case(number)
                     WHEN 11 THEN make_case(number, 4, 400, 6, 0, CASE WHEN number % 3 = 0 THEN 6 ELSE 40 END)
                     ELSE make_case(number, 5, 2500, 30, 0, 200) END;
        BEGIN
            CASE number / 1000000
                WHEN 1 THEN PERFORM check_large_case(lose_values(made));
                WHEN 2 THEN PERFORM check_mondrian_case(made);
                WHEN 4 THEN PERFORM check_quality(made);
                WHEN 3 THEN PERFORM check_tree(CASE WHEN chance(0.4) THEN without_dimensions(made) ELSE made END);
                WHEN 5 THEN PERFORM check_model_case(made);
                WHEN 6 THEN PERFORM check_uniques_case(made);
                WHEN 7 THEN PERFORM check_guard_case();
                WHEN 8 THEN PERFORM check_model_search(made);
                WHEN 11 THEN PERFORM check_matchings_case(made);
                WHEN 9 THEN PERFORM check_large_model_search(made);
                WHEN 10 THEN PERFORM check_matching_case(made);
                WHEN 12 THEN PERFORM check_matching_release();
                WHEN 13 THEN PERFORM check_nights(CASE WHEN number > 13000001 THEN NULL WHEN until = 'infinity' THEN 365 ELSE 60 END);
                WHEN 14 THEN PERFORM check_copies();
                WHEN 15 THEN PERFORM check_lost_values(lose_values(made));
                WHEN 16 THEN PERFORM check_permutation();
                WHEN 17 THEN PERFORM check_least_classes(made);
                WHEN 18 THEN PERFORM check_local_case(made);
                WHEN 22 THEN PERFORM check_known_case(made);
                WHEN 23 THEN PERFORM check_matches_case(made);
                WHEN 24 THEN PERFORM check_suppress_case(made);
                WHEN 19 THEN PERFORM check_nodes(lose_values(made));
                WHEN 20 THEN PERFORM check_rules(made);
                ELSE PERFORM check_case(lose_values(made));
            END CASE;
            UPDATE outcome SET verdict = 'passed', report = CASE WHEN first = last THEN left(dump_case(made), 20000) END WHERE outcome.number = made.number;
        EXCEPTION WHEN OTHERS THEN
            GET STACKED DIAGNOSTICS message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL, context = PG_EXCEPTION_CONTEXT;
            UPDATE outcome SET verdict = 'failed', report = concat_ws(E'\n', left(dump_case(made), 20000), message, detail, 'CONTEXT: ' || context)
            WHERE outcome.number = made.number;
        END;
        EXECUTE format('DROP SCHEMA kanon_property_%s CASCADE', worker);
        COMMIT;
        EXIT WHEN clock_timestamp() >= until OR (SELECT count(*) >= 5 FROM outcome WHERE verdict = 'failed');
    END LOOP;
END $$;
