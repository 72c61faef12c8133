/* symbol_name.h: names in the source, from symbols. */
#ifndef BOMP_SYMBOL_NAME_H
#define BOMP_SYMBOL_NAME_H

#include <stdbool.h>
#include <stddef.h>

/* Writes the name of the function in the source: without suffixes for the code of a construct or for copies of the
 * function; simple names of C++ and Fortran in their language. False: the symbol does not contain it, as for constructs
 * of clang before 17; it is written as it is. */
bool bomp_name_of_function(char *to, size_t room, const char *symbol);

/* Of a variable. True: a compiler made it for a critical construct, whose name is written; "": unnamed. */
bool bomp_name_of_data(char *to, size_t room, const char *symbol);

#endif
