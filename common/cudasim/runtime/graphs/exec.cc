#include "common/cudasim/runtime/graphs/exec.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

#include "common/cudasim/runtime/errors/errors.h"
#include "common/cudasim/runtime/streams/event.h"

namespace cudasim {
namespace {

// Never destroyed: graphs in static variables may outlive it otherwise.
struct Executables {
  std::mutex mutex;
  std::set<const CUgraphExec_st*> live;
};

Executables& AllExecutables() {
  static auto* const executables = new Executables;
  return *executables;
}

using Indices = std::vector<std::size_t>;

void Append(Indices& to, const Indices& more) { to.insert(to.end(), more.begin(), more.end()); }

void Sort(Indices& indices) {
  std::sort(indices.begin(), indices.end());
  indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
}

// Appends the nodes of a graph that begins after `before`.  Returns those at its end, or nothing if
// there is a cycle.
std::optional<Indices> Flatten(const CUgraph_st& graph, const Indices& before, Plan& plan) {
  const Nodes order = TopologicalOrder(graph);
  if (order.size() != graph.nodes.size()) return std::nullopt;  // a cycle
  std::map<const CUgraphNode_st*, Indices> ends;
  for (CUgraphNode_st* const node : order) {
    Indices after = node->dependencies.empty() ? before : Indices{};
    for (const CUgraphNode_st* const earlier : node->dependencies) Append(after, ends[earlier]);
    Sort(after);
    if (node->child != nullptr) {
      std::optional<Indices> inner = Flatten(*node->child, after, plan);
      if (!inner) return std::nullopt;
      ends[node] = std::move(*inner);
    } else {
      plan.nodes.push_back({node, std::move(after)});
      ends[node] = {plan.nodes.size() - 1};
    }
  }
  if (order.empty()) return before;
  Indices last;
  for (const CUgraphNode_st* const exit : ExitNodes(graph)) Append(last, ends[exit]);
  Sort(last);
  return last;
}

// A node goes on in the lane of a node before it, if that one is the lane's last.
void ChooseLanes(Plan& plan) {
  constexpr std::size_t kNone = ~std::size_t{0};
  Indices last{kNone};  // the last node of each lane
  for (std::size_t i = 0; i < plan.nodes.size(); ++i) {
    PlannedNode& node = plan.nodes[i];
    node.lane = last.size();
    if (node.after.empty() && last.front() == kNone) node.lane = 0;
    for (const std::size_t before : node.after) {
      if (last[plan.nodes[before].lane] == before)
        node.lane = std::min(node.lane, plan.nodes[before].lane);
    }
    if (node.lane == last.size()) last.push_back(kNone);
    last[node.lane] = i;
  }
  plan.lanes = last.size();
  for (PlannedNode& node : plan.nodes) {
    for (const std::size_t before : node.after) {
      if (plan.nodes[before].lane != node.lane) plan.nodes[before].ends_lane = true;
    }
  }
  for (const std::size_t exit : plan.exits) {
    if (plan.nodes[exit].lane != 0) plan.nodes[exit].ends_lane = true;
  }
}

bool EventsExist(const Plan& plan) {
  return std::all_of(plan.nodes.begin(), plan.nodes.end(), [](const PlannedNode& planned) {
    return planned.node->event == nullptr || FindEvent(planned.node->event) != nullptr;
  });
}

// Where streams are not tracked all work runs at once.
void RunNow(const Plan& plan, CUstream_st* stream, const Origin& origin) {
  for (const PlannedNode& planned : plan.nodes) {
    const CUgraphNode_st& node = *planned.node;
    if (StickyError() != cudaSuccess) return;
    if (node.enabled && node.work.run) node.work.run();
    if (node.type != cudaGraphNodeTypeEventRecord) continue;
    node.event->is_captured = false;
    node.event->point = RecordPoint(stream, origin);
  }
}

// Submits one launch.
class Submission {
 public:
  Submission(CUgraphExec_st& exec, CUstream_st* stream, const Origin& origin)
      : plan_(exec.plan), origin_(origin), lanes_{stream} {
    lanes_.insert(lanes_.end(), exec.lanes.begin(), exec.lanes.end());
    if (exec.last_end != nullptr && exec.last_end->stream != stream) Wait(0, exec.last_end);
    if (plan_.lanes > 1) begin_ = RecordPoint(stream, origin_);
    for (const PlannedNode& planned : plan_.nodes) SubmitNode(planned);
    for (const std::size_t exit : plan_.exits) {
      if (plan_.nodes[exit].lane != 0) Wait(0, ends_[exit]);
    }
    exec.last_end = RecordPoint(stream, origin_);
  }

 private:
  void Wait(std::size_t lane, const std::shared_ptr<EventPoint>& point) {
    Submit(lanes_[lane], origin_, {}, nullptr, point);
  }

  void SubmitNode(const PlannedNode& planned) {
    if (planned.after.empty() && planned.lane != 0) Wait(planned.lane, begin_);
    for (const std::size_t before : planned.after) {
      if (plan_.nodes[before].lane != planned.lane) Wait(planned.lane, ends_[before]);
    }
    SubmitWork(*planned.node, lanes_[planned.lane]);
    ends_.push_back(planned.ends_lane ? RecordPoint(lanes_[planned.lane], origin_) : nullptr);
  }

  static void SubmitWork(const CUgraphNode_st& node, CUstream_st* lane) {
    const NodeWork& work = node.work;
    if (node.type == cudaGraphNodeTypeEventRecord) {
      node.event->is_captured = false;
      node.event->point = RecordPoint(lane, work.origin);
    } else if (node.type == cudaGraphNodeTypeWaitEvent) {
      if (node.event->point != nullptr) Submit(lane, work.origin, {}, nullptr, node.event->point);
    } else if (node.enabled && work.run) {
      Submit(lane, work.origin, work.ranges, work.run);
    }
  }

  const Plan& plan_;
  const Origin& origin_;
  std::vector<CUstream_st*> lanes_;
  std::shared_ptr<EventPoint> begin_;
  std::vector<std::shared_ptr<EventPoint>> ends_;  // of nodes for which another lane waits
};

bool SameDependences(const CUgraph_st& a, const CUgraph_st& b, std::size_t i) {
  const auto numbers = [](const CUgraph_st& graph, const Nodes& nodes) {
    Indices found;
    for (std::size_t k = 0; k < graph.nodes.size(); ++k) {
      if (std::find(nodes.begin(), nodes.end(), graph.nodes[k].get()) != nodes.end()) {
        found.push_back(k);
      }
    }
    return found;
  };
  return numbers(a, a.nodes[i]->dependencies) == numbers(b, b.nodes[i]->dependencies);
}

cudaGraphExecUpdateResultInfo FindDifference(const CUgraph_st& a, const CUgraph_st& b) {
  if (a.nodes.size() != b.nodes.size()) return {cudaGraphExecUpdateErrorTopologyChanged, {}, {}};
  for (std::size_t i = 0; i < a.nodes.size(); ++i) {
    CUgraphNode_st* const node = b.nodes[i].get();
    const CUgraphNode_st& old = *a.nodes[i];
    if (node->type != old.type) return {cudaGraphExecUpdateErrorNodeTypeChanged, node, {}};
    if (!SameDependences(a, b, i)) return {cudaGraphExecUpdateErrorTopologyChanged, node, {}};
    if (node->work.cooperative != old.work.cooperative) {
      return {cudaGraphExecUpdateErrorAttributesChanged, node, {}};
    }
    if (node->child == nullptr) continue;
    const auto inner = FindDifference(*old.child, *node->child);
    if (inner.result != cudaGraphExecUpdateSuccess) return inner;
  }
  return {cudaGraphExecUpdateSuccess, nullptr, nullptr};
}

void TakeParameters(CUgraph_st& to, const CUgraph_st& from) {
  for (std::size_t i = 0; i < to.nodes.size(); ++i) {
    to.nodes[i]->work = from.nodes[i]->work;
    to.nodes[i]->event = from.nodes[i]->event;
    if (to.nodes[i]->child != nullptr) TakeParameters(*to.nodes[i]->child, *from.nodes[i]->child);
  }
}

}  // namespace

bool IsExecutableGraph(cudaGraphExec_t exec) {
  const std::lock_guard lock(AllExecutables().mutex);
  return AllExecutables().live.count(exec) != 0;
}

std::size_t LiveExecutableGraphs() {
  const std::lock_guard lock(AllExecutables().mutex);
  return AllExecutables().live.size();
}

std::unique_ptr<CUgraphExec_st> Instantiate(const CUgraph_st& graph) {
  std::unique_ptr<CUgraph_st> copy = CloneGraph(graph);
  Plan plan;
  const std::optional<Indices> exits = Flatten(*copy, {}, plan);
  if (!exits) return nullptr;
  plan.exits = *exits;
  ChooseLanes(plan);
  return std::make_unique<CUgraphExec_st>(std::move(copy), std::move(plan));
}

cudaError_t Launch(CUgraphExec_st& exec, CUstream_st* stream, const void* caller) {
  if (!EventsExist(exec.plan)) return cudaErrorInvalidValue;
  const Origin origin{"cudaGraphLaunch", {}, caller};
  if (!StreamsAreTracked()) {
    RunNow(exec.plan, stream, origin);
    return cudaSuccess;
  }
  const GraphLaunch launch;
  while (exec.lanes.size() + 1 < exec.plan.lanes) exec.lanes.push_back(CreateLane());
  Submission(exec, stream, origin);
  return cudaSuccess;
}

cudaGraphExecUpdateResultInfo Update(CUgraph_st& of_exec, const CUgraph_st& graph) {
  const cudaGraphExecUpdateResultInfo difference = FindDifference(of_exec, graph);
  if (difference.result == cudaGraphExecUpdateSuccess) TakeParameters(of_exec, graph);
  return difference;
}

}  // namespace cudasim

CUgraphExec_st::CUgraphExec_st(std::unique_ptr<CUgraph_st> its_graph, cudasim::Plan its_plan)
    : graph(std::move(its_graph)), plan(std::move(its_plan)) {
  const std::lock_guard lock(cudasim::AllExecutables().mutex);
  cudasim::AllExecutables().live.insert(this);
}

CUgraphExec_st::~CUgraphExec_st() {
  {
    const std::lock_guard lock(cudasim::AllExecutables().mutex);
    cudasim::AllExecutables().live.erase(this);
  }
  for (CUstream_st* const lane : lanes) cudasim::DestroyStream(lane);
}
