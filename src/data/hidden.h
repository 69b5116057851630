/*
 * hidden.h
 *		The text that stands for everything: the top of a hierarchy without labels of its own, and a
 *		hidden cell.
 */
#ifndef KANON_HIDDEN_H
#define KANON_HIDDEN_H

#define HIDDEN_TEXT "*"
#define HIDDEN_LETTER ((unsigned char) HIDDEN_TEXT[0]) /* .. as a letter of a text */

#endif /* KANON_HIDDEN_H */
