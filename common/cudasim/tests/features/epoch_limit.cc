#include "common/cudasim/tests/features/epoch_limit.h"

#include "common/cudasim/check/detector.h"

void LimitEpochs(unsigned limit) { cudasim::detector.epoch_limit = limit; }

unsigned UsedEpochs() { return cudasim::detector.last_epoch; }
