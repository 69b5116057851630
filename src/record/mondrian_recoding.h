/*
 * mondrian_recoding.h
 *		Records in classes, each recoded to the region of its rows (partition.h).
 */
#ifndef KANON_MONDRIAN_RECODING_H
#define KANON_MONDRIAN_RECODING_H

#include "postgres.h"

#include "record/record_codes.h"

/*
 * Keeps using the records; in the current context, against their budget.  Returns NULL if there are
 * no classes.
 */
extern Recoding *mondrian_recode(RecordCodes *codes, const RecodeRequest *request);

/* The same, relaxed: rows equal to a median are dealt to both sides of the cut. */
extern Recoding *relaxed_mondrian_recode(RecordCodes *codes, const RecodeRequest *request);

#endif /* KANON_MONDRIAN_RECODING_H */
