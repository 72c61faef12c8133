#include "omp/tool/tool.h"

struct bomp_tool_table bomp_tool_table;
bool bomp_told = true;
