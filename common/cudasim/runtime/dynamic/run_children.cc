#include <algorithm>
#include <map>

#include "common/cudasim/runtime/dynamic/children.h"

namespace cudasim {
namespace {

// When the work of each stream is over, in the logical time of profile mode; elsewhere all is 0.
class StreamTimes {
 public:
  explicit StreamTimes(std::uint64_t parent_over) : parent_over_(parent_over) {}

  std::uint64_t Begin(const Child& child) const {
    if (child.kind == ChildStream::kTail) return all_over();
    if (child.kind == ChildStream::kFireAndForget) return parent_over_;
    const auto of = over_.find({child.kind, child.stream});
    return of == over_.end() ? parent_over_ : of->second;
  }
  void End(const Child& child) {
    latest_ = std::max(latest_, child.over);
    over_[{child.kind, child.stream}] = child.over;
  }
  std::uint64_t all_over() const { return std::max(parent_over_, latest_); }

 private:
  std::uint64_t parent_over_;
  std::uint64_t latest_ = 0;
  std::map<std::pair<ChildStream, std::uint64_t>, std::uint64_t> over_;
};

}  // namespace

// Any order that Precedes() allows is right; this one is the same in every run of one worker.
void RunChildren(Grid& grid) {
  Children& children = *grid.children;
  StreamTimes times(grid.over);
  for (const bool tail : {false, true}) {
    for (Child& child : children.launched) {
      if ((child.kind == ChildStream::kTail) != tail) continue;
      if (grid.aborted) return;
      BeginChild(children, child);
      child.begins = times.Begin(child);
      child.run(child);
      child.run = nullptr;
      times.End(child);
    }
  }
  grid.over = times.all_over();
}

}  // namespace cudasim
