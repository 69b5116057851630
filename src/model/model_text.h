/*
 * model_text.h
 *		Models as text: distinct(disease, 3), closeness("Net salary", 0.2).
 *
 * A list of models is separated by commas.  The name and an unquoted column are folded to lower
 * case (ASCII letters only, whatever the locale).  A quoted column is taken literally, with "" for
 * a quote.  Blanks may stand between any two tokens.
 */
#ifndef KANON_MODEL_TEXT_H
#define KANON_MODEL_TEXT_H

#include "postgres.h"

#include "model/model.h"
#include "nodes/pg_list.h"

/*
 * In the current context.  Raises ERRCODE_INVALID_TEXT_REPRESENTATION, with what was expected at
 * which position (in bytes, from 1), or ERRCODE_INVALID_PARAMETER_VALUE for a parameter out of
 * range.
 */
extern Model *model_text_read(const char *text);

/*
 * The canonical text of a model: lower case, columns quoted only if needed, numbers in their
 * shortest form.  Reads back as the same model.  Palloc'd.
 */
extern char *model_text_write(const Model *model);

/* A list of models, separated by commas, as a List of Model; NIL for an empty text or NULL. */
extern List *model_text_read_list(const char *text);
extern char *model_text_write_list(List *models);

/* The text of a list of models with another name for a column. */
extern char *model_text_rename(const char *text, const char *old_name, const char *new_name);

#endif /* KANON_MODEL_TEXT_H */
