#include "common/cudasim/runtime/graphs/graph.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <queue>
#include <set>
#include <utility>

#include "common/cudasim/hooks/hooks.h"

namespace cudasim {
namespace {

// Never destroyed: graphs in static variables may outlive it otherwise.
struct Handles {
  std::mutex mutex;
  std::set<const void*> live;
};

Handles& AllHandles() {
  static auto* const handles = new Handles;
  return *handles;
}

std::atomic<std::uint64_t> ids{0};
std::atomic<std::size_t> programs_graphs{0};

void Register(const void* handle) {
  const std::lock_guard lock(AllHandles().mutex);
  AllHandles().live.insert(handle);
}

void Unregister(const void* handle) {
  const std::lock_guard lock(AllHandles().mutex);
  AllHandles().live.erase(handle);
}

bool IsLive(const void* handle) {
  const std::lock_guard lock(AllHandles().mutex);
  return AllHandles().live.count(handle) != 0;
}

// Numbers nodes by the order of their creation.
std::map<const CUgraphNode_st*, std::size_t> Numbers(const CUgraph_st& graph) {
  std::map<const CUgraphNode_st*, std::size_t> numbers;
  for (const auto& node : graph.nodes) numbers.emplace(node.get(), numbers.size());
  return numbers;
}

}  // namespace

bool IsGraph(cudaGraph_t graph) { return IsLive(graph); }
bool IsNode(cudaGraphNode_t node) { return IsLive(node); }

bool AreNodesOf(const CUgraph_st& graph, std::span<const cudaGraphNode_t> nodes) {
  const std::set<cudaGraphNode_t> distinct(nodes.begin(), nodes.end());
  return distinct.size() == nodes.size() &&
         std::all_of(nodes.begin(), nodes.end(),
                     [&](cudaGraphNode_t node) { return IsNode(node) && node->graph == &graph; });
}

CUgraphNode_st* AddNode(CUgraph_st& graph, cudaGraphNodeType type,
                        std::span<const cudaGraphNode_t> dependencies, NodeWork work) {
  auto& node = graph.nodes.emplace_back(std::make_unique<CUgraphNode_st>(&graph, type));
  node->dependencies.assign(dependencies.begin(), dependencies.end());
  node->work = std::move(work);
  return node.get();
}

std::unique_ptr<CUgraph_st> CloneGraph(const CUgraph_st& graph) {
  auto clone = std::make_unique<CUgraph_st>();
  std::map<const CUgraphNode_st*, CUgraphNode_st*> copies;
  for (const auto& node : graph.nodes) {
    CUgraphNode_st* const copy = AddNode(*clone, node->type, {}, node->work);
    copy->original = node->id;
    copy->event = node->event;
    copy->enabled = node->enabled;
    if (node->child != nullptr) copy->child = CloneGraph(*node->child);
    copies.emplace(node.get(), copy);
  }
  for (const auto& node : graph.nodes) {
    for (const CUgraphNode_st* const before : node->dependencies) {
      copies[node.get()]->dependencies.push_back(copies[before]);
    }
  }
  return clone;
}

CUgraphNode_st* FindCopy(const CUgraph_st& graph, const CUgraphNode_st& original) {
  for (const auto& node : graph.nodes) {
    if (node->original == original.id) return node.get();
    if (node->child == nullptr) continue;
    if (CUgraphNode_st* const inner = FindCopy(*node->child, original)) return inner;
  }
  return nullptr;
}

// Kahn's algorithm (Topological Sorting of Large Networks, CACM 5(11), 1962).
Nodes TopologicalOrder(const CUgraph_st& graph) {
  const auto numbers = Numbers(graph);
  std::vector<std::size_t> missing(graph.nodes.size());
  std::vector<std::vector<std::size_t>> later(graph.nodes.size());
  std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    missing[i] = graph.nodes[i]->dependencies.size();
    if (missing[i] == 0) ready.push(i);
    for (const CUgraphNode_st* const before : graph.nodes[i]->dependencies) {
      later[numbers.at(before)].push_back(i);
    }
  }
  Nodes order;
  while (!ready.empty()) {
    const std::size_t next = ready.top();
    ready.pop();
    order.push_back(graph.nodes[next].get());
    for (const std::size_t i : later[next]) {
      if (--missing[i] == 0) ready.push(i);
    }
  }
  return order;
}

bool HasCycle(const CUgraph_st& graph) {
  return TopologicalOrder(graph).size() != graph.nodes.size();
}

Nodes ExitNodes(const CUgraph_st& graph) {
  std::set<cudaGraphNode_t> followed;
  for (const auto& node : graph.nodes) {
    followed.insert(node->dependencies.begin(), node->dependencies.end());
  }
  Nodes exits;
  for (const auto& node : graph.nodes) {
    if (followed.count(node.get()) == 0) exits.push_back(node.get());
  }
  return exits;
}

bool AllPrecede(const Nodes& nodes, const Nodes& ends) {
  std::set<cudaGraphNode_t> before(ends.begin(), ends.end());
  Nodes open = ends;
  while (!open.empty()) {
    const CUgraphNode_st* const node = open.back();
    open.pop_back();
    for (const cudaGraphNode_t dependency : node->dependencies) {
      if (before.insert(dependency).second) open.push_back(dependency);
    }
  }
  return std::all_of(nodes.begin(), nodes.end(),
                     [&](cudaGraphNode_t node) { return before.count(node) != 0; });
}

cudaGraph_t HandOver(std::unique_ptr<CUgraph_st> graph, const void* caller) {
  graph->is_programs = true;
  ++programs_graphs;
  OnMade(HandleKind::kGraph, graph.get(), caller);
  return graph.release();
}

void DestroyGraph(cudaGraph_t graph) {
  --programs_graphs;
  OnEnded(HandleKind::kGraph, graph);
  delete graph;
}

std::size_t LiveGraphs() { return programs_graphs; }

}  // namespace cudasim

CUgraphNode_st::CUgraphNode_st(cudaGraph_t its_graph, cudaGraphNodeType its_type)
    : graph(its_graph), type(its_type), id(++cudasim::ids) {
  cudasim::Register(this);
}

CUgraphNode_st::~CUgraphNode_st() { cudasim::Unregister(this); }

CUgraph_st::CUgraph_st() { cudasim::Register(this); }

CUgraph_st::~CUgraph_st() { cudasim::Unregister(this); }
