// libb2: the BLAKE2 package as a library. What there is of documentation is
// its header.

#include <blake2.h>

#define NAME "libb2"
#include "blake2_package.h"
