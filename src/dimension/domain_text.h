/*
 * domain_text.h
 *		The values and labels of a dimension as texts.
 */
#ifndef KANON_DOMAIN_TEXT_H
#define KANON_DOMAIN_TEXT_H

#include "postgres.h"

#include "dimension/dimension_query.h"
#include "sql/value_text.h"

typedef struct DomainText
{
	const AttributeDomain *domain;
	ValueText *writer; /* [0 .. height] */
} DomainText;

/* Looks up how each level is written; current context. */
extern DomainText domain_text_create(const AttributeDomain *domain);

/* At level 0 the value of that number in the ground dictionary, else its label; palloc'd. */
extern char *domain_text_write(DomainText *text, int level, int32 value);

#endif /* KANON_DOMAIN_TEXT_H */
