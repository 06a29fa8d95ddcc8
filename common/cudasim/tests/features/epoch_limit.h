// Makes check mode run out of epochs early.
#pragma once

// Epochs that a launch may use; more are reset between launches.
void LimitEpochs(unsigned limit);

unsigned UsedEpochs();
