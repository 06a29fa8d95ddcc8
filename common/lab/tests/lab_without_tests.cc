// A lab's program into which no test was linked.

#include "common/lab/exports/exports.h"

void Nothing() {}

LAB_EXPORTS(LAB_EXPORT(Nothing));
