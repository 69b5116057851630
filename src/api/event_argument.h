/*
 * event_argument.h
 *		What functions of event triggers are called with.
 */
#ifndef KANON_EVENT_ARGUMENT_H
#define KANON_EVENT_ARGUMENT_H

#include "postgres.h"

#include "commands/event_trigger.h"
#include "fmgr.h"

/* ERRCODE_E_R_I_E_EVENT_TRIGGER_PROTOCOL_VIOLATED if it is called by something else. */
static inline EventTriggerData *
event_argument(FunctionCallInfo fcinfo)
{
	if (!CALLED_AS_EVENT_TRIGGER(fcinfo))
		ereport(ERROR, (errcode(ERRCODE_E_R_I_E_EVENT_TRIGGER_PROTOCOL_VIOLATED),
						errmsg("this function is called by event triggers only")));
	return (EventTriggerData *) fcinfo->context;
}

#endif /* KANON_EVENT_ARGUMENT_H */
