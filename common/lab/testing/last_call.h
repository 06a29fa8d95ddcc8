#pragma once

// The latest call of a lab's function, for messages about its results.

#include <cstddef>
#include <vector>

#include "common/lab/call/call.h"
#include "common/lab/testing/error_pattern.h"

namespace lab {

// lab::Invoke, remembering the call's scalars. Throws what lab::Invoke throws.
void InvokeAndRemember(const Call& call);

// The grids of `elements` cells that whole numbers of the latest call give: width and height, or a
// size with both. Three numbers side by side give slices, any two give rows and columns. Either of
// two numbers may be the rows: both shapes are returned, the later number as the columns first.
std::vector<Extents> ShapesByLastCall(std::size_t elements);

}  // namespace lab
