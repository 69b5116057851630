/*
 * model_text.h
 *		Models as text: distinct(disease, 3), closeness("Net salary", 0.2).
 *
 * Several stand in a row, with commas.  The name and a plain column are folded to lower case
 * (the letters of ASCII, whatever the locale); a quoted column is taken as it stands, with ""
 * for one quote.  Blanks may stand between any two parts.
 */
#ifndef KANON_MODEL_TEXT_H
#define KANON_MODEL_TEXT_H

#include "postgres.h"

#include "model/model.h"
#include "nodes/pg_list.h"

/*
 * Everything in the current context.  ERRCODE_INVALID_TEXT_REPRESENTATION, with what was expected
 * at which position (in bytes, from 1); ERRCODE_INVALID_PARAMETER_VALUE: a parameter out of its
 * range.
 */
extern Model *model_text_read(const char *text);

/*
 * The one spelling of a model, which reads as the same model: lower case, columns quoted only
 * where needed, numbers in their shortest form.  palloc'd.
 */
extern char *model_text_write(const Model *model);

/* Any number of models, a comma between two: a List of Model, NIL for an empty text or NULL. */
extern List *model_text_read_list(const char *text);
extern char *model_text_write_list(List *models);

#endif /* KANON_MODEL_TEXT_H */
