# Plain comments of the public headers as doxygen's. What begins a line belongs to what follows, what stands after code to
# that; headlines of parts and the head of the file stay apart.
s|^/\* ---- (.*) ---- *\*/$|/** @name \1 */|
s|^/\* ----.*$|/*|
1s|^/\*$|/** @file|
s|^( *)/\* |\1/** |
s|^(.*[;,{]) +/\* (.*)$|\1 /**< \2|
