/* export.h: how an entry point that programs link to is marked. cmake/symbols.cmake has to know its name, too. */
#ifndef BOMP_EXPORT_H
#define BOMP_EXPORT_H

#define BOMP_EXPORT __attribute__((visibility("default")))

#endif
