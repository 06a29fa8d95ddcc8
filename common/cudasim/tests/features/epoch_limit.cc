#include "common/cudasim/tests/features/epoch_limit.h"

#include "common/cudasim/check/epochs.h"

void LimitEpochs(unsigned limit) { cudasim::epochs.limit = limit; }

unsigned UsedEpochs() { return cudasim::epochs.last; }
