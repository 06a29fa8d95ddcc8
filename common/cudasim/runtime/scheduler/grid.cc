#include "common/cudasim/runtime/scheduler/grid.h"

namespace cudasim {
namespace {

Grid* running = nullptr;

}  // namespace

std::string DescribeLaunch(const Grid& grid) {
  return "launched at " + ToString(grid.launched_at) + " with grid " + ToString(grid.extent) +
         " and block " + ToString(grid.block_extent);
}

GridRuns::GridRuns(Grid& grid) : kernel_(grid.source) { running = &grid; }
GridRuns::~GridRuns() { running = nullptr; }

Grid* RunningGrid() { return running; }

}  // namespace cudasim
