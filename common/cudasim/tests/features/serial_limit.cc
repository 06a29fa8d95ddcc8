#include "common/cudasim/tests/features/serial_limit.h"

#include "common/cudasim/check/state.h"

void LimitSerials(unsigned limit) { cudasim::serial_limit = limit; }

unsigned UsedSerials() { return cudasim::LastSerial(); }
