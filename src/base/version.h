/*
 * version.h
 *		The version that this library belongs to; as default_version in kanon.control.
 */
#ifndef KANON_VERSION_H
#define KANON_VERSION_H

#define KANON_VERSION "0.9.0"

#endif /* KANON_VERSION_H */
