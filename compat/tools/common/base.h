/* base.h: the parts of src/ that libblitz-tools.so has a copy of. None uses the scheduler. */
#ifndef BOMP_TOOLS_BASE_H
#define BOMP_TOOLS_BASE_H

#include "base/atomic.h"
#include "base/compiler.h"
#include "base/hooks.h"
#include "env/error.h"
#include "env/options.h"
#include "os/files.h"
#include "os/objects.h"
#include "os/os.h"
#include "os/topology.h"

#endif
