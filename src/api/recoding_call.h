/*
 * recoding_call.h
 *		What a call of a function of rows says: how to recode them.
 */
#ifndef KANON_RECODING_CALL_H
#define KANON_RECODING_CALL_H

#include "postgres.h"

#include "api/argument.h"
#include "record/record_reader.h"
#include "release/release_options.h"

/* A call, kept between window partitions: the arguments in the first row of a partition. */
typedef struct RecodingCall
{
	ArgumentNames names;
	bool same; /* the arguments, all but the rows, are the same for all rows */
	WindowCall *reader;
	const RecodingOps *recoding; /* NULL: verdicts on classes */
	ReleaseOptions options;
	RecordRequest rows;
	RecodeOptions recode;
} RecodingCall;

/*
 * The call of a function that is handed a whole and a tree, and all else the same for all rows; in
 * the current context.  Errors: those of the arguments; ERRCODE_FEATURE_NOT_SUPPORTED for arguments
 * that may differ from row to row.
 */
extern RecodingCall recoding_call_read(FunctionCallInfo fcinfo);

#endif /* KANON_RECODING_CALL_H */
