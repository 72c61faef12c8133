# Target blitz_warnings: the warnings that all code of the project is kept free of.
add_library(blitz_warnings INTERFACE)
set(c_only -Wstrict-prototypes -Wmissing-prototypes)
target_compile_options(
  blitz_warnings
  INTERFACE -Wall -Wextra -Wshadow -Wundef -Wvla -Wpointer-arith -Wwrite-strings
            "$<$<COMPILE_LANGUAGE:C>:${c_only}>")
if(BLITZ_WERROR)
  target_compile_options(blitz_warnings INTERFACE -Werror)
endif()
