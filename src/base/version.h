/*
 * version.h
 *		The version of this library; default_version in kanon.control is the same.
 */
#ifndef KANON_VERSION_H
#define KANON_VERSION_H

#define KANON_VERSION "0.9.0"

#endif /* KANON_VERSION_H */
