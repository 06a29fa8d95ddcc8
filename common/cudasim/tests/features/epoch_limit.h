// Lowers check mode's limit on epochs.
#pragma once

// Epochs that a launch may use; between launches they restart when few are left.
void LimitEpochs(unsigned limit);

unsigned UsedEpochs();
