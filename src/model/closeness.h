/*
 * closeness.h
 *		t-closeness (Li, Li, Venkatasubramanian 2007); see closeness.c.
 */
#ifndef KANON_CLOSENESS_H
#define KANON_CLOSENESS_H

#include "postgres.h"

#include "model/model.h"

extern const ModelOps closeness;

#endif /* KANON_CLOSENESS_H */
