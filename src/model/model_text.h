/*
 * model_text.h
 *		Models as text: distinct(disease, 3), closeness("Net salary", 0.2).
 *
 * name ( column , number .. ).  The name and a plain column are folded to lower
 * case (the letters of ASCII, whatever the locale); a quoted column is taken as
 * it stands, with "" for one quote.  Blanks may stand between any two parts.
 */
#ifndef KANON_MODEL_TEXT_H
#define KANON_MODEL_TEXT_H

#include "postgres.h"

#include "model/model.h"

/*
 * Everything in the current context.  Errors: ERRCODE_INVALID_TEXT_REPRESENTATION,
 * with what was expected at which position (in bytes, from 1); a
 * parameter out of its range (ERRCODE_INVALID_PARAMETER_VALUE).
 */
extern Model *model_text_read(const char *text);

/*
 * The one spelling of a model: lower case, columns quoted only where needed,
 * numbers in their shortest form.  Reading it gives the same model.  palloc'd.
 */
extern char *model_text_write(const Model *model);

#endif /* KANON_MODEL_TEXT_H */
