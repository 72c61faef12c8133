/* symbol_name.h: symbols as people know them. */
#ifndef BOMP_SYMBOL_NAME_H
#define BOMP_SYMBOL_NAME_H

#include <stdbool.h>
#include <stddef.h>

/* Writes what the author calls the function that the symbol is of, or is code of: without what compilers add to the name
 * for the code of a construct or for copies of the function; C++ and Fortran names in their language, if they are simple
 * ones. False: the name says nothing of the function that it belongs to, as those that clang before 17 gives to the code of
 * constructs; it is written as it is. */
bool bomp_name_of_function(char *to, size_t room, const char *symbol);

/* Of a variable. True: a compiler made it for a critical construct, whose name is written; "": unnamed. */
bool bomp_name_of_data(char *to, size_t room, const char *symbol);

#endif
