/*
 * release_lost.h
 *		What was known of tables and releases that were dropped only to be made anew, as Citus
 *		does when it distributes a table in another way: their declarations and entries go
 *		with what was dropped, and the view that is made of the same text is no release.
 *
 * All within a query scope.
 */
#ifndef KANON_RELEASE_LOST_H
#define KANON_RELEASE_LOST_H

#include "postgres.h"

/*
 * Within an sql_drop event trigger, before what was dropped is forgotten: where Citus is
 * installed, keeps it in kanon_lost, with a WARNING for each table and release.  Elsewhere
 * nothing makes tables anew behind their owner's back.
 */
extern void release_lost_keep(Oid catalog);

/*
 * A view by the name of a release that was lost, and of the same text, is that release again; its
 * table has again what was declared of it, and its dimensions the rules that they were made by,
 * where the current user owns these and nothing is declared.
 *
 * Errors: not the current user's (ERRCODE_INSUFFICIENT_PRIVILEGE); a release already
 * (ERRCODE_DUPLICATE_OBJECT); none was lost (ERRCODE_UNDEFINED_OBJECT); another text, or one that
 * draws, since the seed is gone
 * (ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE).
 */
extern void release_lost_adopt(Oid release);

#endif /* KANON_RELEASE_LOST_H */
