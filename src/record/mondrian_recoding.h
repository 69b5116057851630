/*
 * mondrian_recoding.h
 *		Records in classes, each recoded to the region of its rows (partition.h).
 */
#ifndef KANON_MONDRIAN_RECODING_H
#define KANON_MONDRIAN_RECODING_H

#include "postgres.h"

#include "record/record_codes.h"

/* In memory by partition_run or, if the dataset has a tape, there by rothko_run. */
extern Recoding *mondrian_recode(RecordCodes *codes, const RowModels *models,
								 const RecodeOptions *options);

/* The same, relaxed: rows equal to a median are dealt to both sides of the cut. */
extern Recoding *relaxed_mondrian_recode(RecordCodes *codes, const RowModels *models,
										 const RecodeOptions *options);

#endif /* KANON_MONDRIAN_RECODING_H */
