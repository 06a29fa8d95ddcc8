// Dynamic parallelism: the order between a grid and the grids that its threads launch.
//
// A child sees what its launching thread knew at the launch: its own accesses until then and what
// happened before them.  Nothing that the parent does later is ordered with the child, unless the
// child is a tail launch.  Two children of one parent are ordered by Precedes(); what holds for a
// child holds for all grids below it.
#pragma once

#include <cstddef>

#include "common/cudasim/check/check_access.h"
#include "common/cudasim/check/shadow.h"
#include "common/cudasim/runtime/scheduler/grid.h"

namespace cudasim {

// The grid begins, or has ended.
void BeginFamilyGrid(const Grid& grid);
void EndFamilyGrid(const Grid& grid);

// Epochs begin anew: all earlier accesses are forgotten.
void ForgetEpochsOfFamily();

// True if some grid of the family is not ordered before the running one.
bool HasUnorderedFamily();

// Compares an access of the running grid with those of its family to the bytes `mask` of the word.
void CheckFamilyOrder(const Access& access, const Shadow& shadow, std::size_t word, unsigned mask);

}  // namespace cudasim
