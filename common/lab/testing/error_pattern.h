#pragma once

// What the positions of an array's wrong elements have in common, as a phrase behind "997 more are
// wrong: ":
//
//   all                                     from 4096 to the end
//   every 32nd from 31 to the end           from 31 to 999 but for 12
//   16 to 31 of each 32                     all but 0 of each 256 from 256 to the end
//   rows 0 and 47 or columns 0 and 63 in 48 rows of 64
//   row 16 or columns 31 to 32 inside the border in 48 rows of 64
//   0, 5 and 30 to 32                       between 5 and 991
//
// "Every 32nd" and "of each 32" tell which lane, thread or block went wrong. The graders' pages
// parse these phrases to draw them: common/lab/failure_pictures/positions.py.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace lab {

// The number of elements in each dimension of an array, the one whose neighbours lie side by side
// last: {rows, columns}, {slices, rows, columns}.
using Extents = std::vector<std::size_t>;

// `wrong` ascends, is not empty and lies below `size`. Each of `shapes` is one that the array may
// have, 2 or 3 dimensions whose product is `size`; the first in which the wrong elements are a
// regular part of the grid is taken. Linear in the number of wrong elements, up to a factor that is
// the number of candidates for a period, mostly refused by a few elements.
std::string DescribeErrors(std::span<const std::size_t> wrong, std::size_t size,
                           std::span<const Extents> shapes = {});

}  // namespace lab
