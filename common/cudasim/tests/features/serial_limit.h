// Makes check mode run out of serials early.
#pragma once

// Serials that a launch may use; more are renewed between launches.
void LimitSerials(unsigned limit);

unsigned UsedSerials();
