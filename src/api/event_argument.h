/*
 * event_argument.h
 *		The argument of event trigger functions.
 */
#ifndef KANON_EVENT_ARGUMENT_H
#define KANON_EVENT_ARGUMENT_H

#include "postgres.h"

#include "commands/event_trigger.h"
#include "fmgr.h"

/* Raises ERRCODE_E_R_I_E_EVENT_TRIGGER_PROTOCOL_VIOLATED unless called by an event trigger. */
static inline EventTriggerData *
event_argument(FunctionCallInfo fcinfo)
{
	if (!CALLED_AS_EVENT_TRIGGER(fcinfo))
		ereport(ERROR, (errcode(ERRCODE_E_R_I_E_EVENT_TRIGGER_PROTOCOL_VIOLATED),
						errmsg("this function is called by event triggers only")));
	return (EventTriggerData *) fcinfo->context;
}

#endif /* KANON_EVENT_ARGUMENT_H */
