/*
 * hidden.h
 *		What stands where everything is hidden: the top of a hierarchy that has no other,
 *		and a cell that tells nothing.
 */
#ifndef KANON_HIDDEN_H
#define KANON_HIDDEN_H

#define HIDDEN_TEXT "*"
#define HIDDEN_LETTER ((unsigned char) HIDDEN_TEXT[0]) /* .. one of a text */

#endif /* KANON_HIDDEN_H */
