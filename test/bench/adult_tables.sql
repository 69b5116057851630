-- Adults and its hierarchies, empty: nine columns in the order of Figure 9,
-- one dimension each.  The dimensions are all text, as a CSV file gives them.
CREATE TABLE adult (
    age int, sex text, race text, marital_status text, education text,
    native_country text, workclass text, occupation text, salary_class text
);
CREATE TABLE dim_age (value text, years_5 text, years_10 text, years_20 text, top text);
CREATE TABLE dim_sex (value text, top text);
CREATE TABLE dim_race (value text, top text);
CREATE TABLE dim_marital_status (value text, spouse text, top text);
CREATE TABLE dim_education (value text, stage text, sector text, top text);
CREATE TABLE dim_native_country (value text, continent text, top text);
CREATE TABLE dim_workclass (value text, sector text, top text);
CREATE TABLE dim_occupation (value text, kind text, top text);
CREATE TABLE dim_salary_class (value text, top text);
