/*
 * domain_text.c
 *		See domain_text.h.
 */
#include "postgres.h"

#include "dimension/domain_text.h"

DomainText
domain_text_create(const AttributeDomain *domain)
{
	DomainText text = {.domain = domain,
					   .writer = palloc0(sizeof(ValueText) * (domain->height + 1))};

	text.writer[0] = value_text_writer(domain->attribute->type);
	for (int level = 1; level <= domain->height; level++)
		text.writer[level] = value_text_writer(domain->label_type[level]);
	return text;
}

char *
domain_text_write(DomainText *text, int level, int32 value)
{
	const AttributeDomain *domain = text->domain;
	const Dictionary *known = level == 0 ? domain->ground : domain->label[level];
	int32 number = level == 0 ? value : domain->label_of_ground[level][value];

	return value_text_write(&text->writer[level], dictionary_value(known, number));
}
