/*
 * release_lost.h
 *		Keeps what is known of tables and releases that are dropped only to be recreated, as Citus
 *		does when it redistributes a table.  Their declarations and entries go with the dropped
 *		objects, and the recreated view with the same text is no release.
 *
 * Call all of these within a query scope.
 */
#ifndef KANON_RELEASE_LOST_H
#define KANON_RELEASE_LOST_H

#include "postgres.h"

/*
 * For an sql_drop event trigger, before dropped objects are forgotten: if Citus is installed, keeps
 * them in kanon_lost, with a WARNING for each table and release.  Nothing else recreates tables
 * behind their owner's back.
 */
extern void release_lost_keep(void);

/*
 * Makes a view with the name and text of a lost release that release again, with its seed. Restores
 * the declarations of its table, which may have become a shard of it, the table's state of cohorts
 * and the rules of its dimensions, as far as the current user owns these and they have no
 * declarations.
 *
 * Errors: the current user does not own it (ERRCODE_INSUFFICIENT_PRIVILEGE); it is a release
 * (ERRCODE_DUPLICATE_OBJECT); none was lost (ERRCODE_UNDEFINED_OBJECT); the text differs, or the
 * release draws and its seed is gone (ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE).
 */
extern void release_lost_adopt(Oid release);

#endif /* KANON_RELEASE_LOST_H */
