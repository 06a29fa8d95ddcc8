// The API's functions about graphs that have several signatures, or that note their place in the
// source.
#pragma once

#include "cudasim/graph_types.h"

// Inlined so that a report names the caller's line.
#define CUDASIM_API inline __attribute__((always_inline))

// With edge data: CUDA 13.
CUDASIM_API cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from,
                                          cudaGraphNode_t* to, size_t* count) {
  return cudasimGraphGetEdges(graph, from, to, nullptr, count);
}
CUDASIM_API cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from,
                                          cudaGraphNode_t* to, cudaGraphEdgeData* data,
                                          size_t* count) {
  return cudasimGraphGetEdges(graph, from, to, data, count);
}
CUDASIM_API cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                                 const cudaGraphNode_t* to, size_t count) {
  return cudasimGraphAddDependencies(graph, from, to, nullptr, count);
}
CUDASIM_API cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                                 const cudaGraphNode_t* to,
                                                 const cudaGraphEdgeData* data, size_t count) {
  return cudasimGraphAddDependencies(graph, from, to, data, count);
}
CUDASIM_API cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                                    const cudaGraphNode_t* to, size_t count) {
  return cudasimGraphRemoveDependencies(graph, from, to, nullptr, count);
}
CUDASIM_API cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                                    const cudaGraphNode_t* to,
                                                    const cudaGraphEdgeData* data, size_t count) {
  return cudasimGraphRemoveDependencies(graph, from, to, data, count);
}
CUDASIM_API cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                                     size_t* count) {
  return cudasimGraphNodeGetNeighbours(node, cudasim::Neighbours::kDependencies, nodes, nullptr,
                                       count);
}
CUDASIM_API cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                                     cudaGraphEdgeData* data, size_t* count) {
  return cudasimGraphNodeGetNeighbours(node, cudasim::Neighbours::kDependencies, nodes, data,
                                       count);
}
CUDASIM_API cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                                       size_t* count) {
  return cudasimGraphNodeGetNeighbours(node, cudasim::Neighbours::kDependents, nodes, nullptr,
                                       count);
}
CUDASIM_API cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                                       cudaGraphEdgeData* data, size_t* count) {
  return cudasimGraphNodeGetNeighbours(node, cudasim::Neighbours::kDependents, nodes, data, count);
}
CUDASIM_API cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                         const cudaGraphNode_t* dependencies, size_t count,
                                         cudaGraphNodeParams* parameters,
                                         const char* file = __builtin_FILE(),
                                         int line = __builtin_LINE()) {
  return cudasimGraphAddNode(node, graph, dependencies, nullptr, count, parameters, {file, line});
}
CUDASIM_API cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                         const cudaGraphNode_t* dependencies,
                                         const cudaGraphEdgeData* data, size_t count,
                                         cudaGraphNodeParams* parameters,
                                         const char* file = __builtin_FILE(),
                                         int line = __builtin_LINE()) {
  return cudasimGraphAddNode(node, graph, dependencies, data, count, parameters, {file, line});
}
CUDASIM_API cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream,
                                                 cudaStreamCaptureStatus* status,
                                                 unsigned long long* id = nullptr,
                                                 cudaGraph_t* graph = nullptr,
                                                 const cudaGraphNode_t** dependencies = nullptr,
                                                 size_t* count = nullptr) {
  return cudasimStreamGetCaptureInfo(stream, status, id, graph, dependencies, nullptr, count);
}
CUDASIM_API cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream,
                                                 cudaStreamCaptureStatus* status,
                                                 unsigned long long* id, cudaGraph_t* graph,
                                                 const cudaGraphNode_t** dependencies,
                                                 const cudaGraphEdgeData** data, size_t* count) {
  return cudasimStreamGetCaptureInfo(stream, status, id, graph, dependencies, data, count);
}
CUDASIM_API cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream,
                                                            cudaGraphNode_t* dependencies,
                                                            size_t count, unsigned flags = 0) {
  return cudasimStreamUpdateCaptureDependencies(stream, dependencies, nullptr, count, flags);
}
CUDASIM_API cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream,
                                                            cudaGraphNode_t* dependencies,
                                                            const cudaGraphEdgeData* data,
                                                            size_t count, unsigned flags = 0) {
  return cudasimStreamUpdateCaptureDependencies(stream, dependencies, data, count, flags);
}

// The names of CUDA 12 for some of them.
#define cudaGraphGetEdges_v2 cudaGraphGetEdges
#define cudaGraphAddDependencies_v2 cudaGraphAddDependencies
#define cudaGraphRemoveDependencies_v2 cudaGraphRemoveDependencies
#define cudaGraphNodeGetDependencies_v2 cudaGraphNodeGetDependencies
#define cudaGraphNodeGetDependentNodes_v2 cudaGraphNodeGetDependentNodes
#define cudaGraphAddNode_v2 cudaGraphAddNode
#define cudaStreamGetCaptureInfo_v2 cudaStreamGetCaptureInfo
#define cudaStreamGetCaptureInfo_v3 cudaStreamGetCaptureInfo
#define cudaStreamUpdateCaptureDependencies_v2 cudaStreamUpdateCaptureDependencies

// The second one: before CUDA 12, and in C++ still today.  The log is left empty.
CUDASIM_API cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph,
                                             unsigned long long flags = 0) {
  return cudaGraphInstantiateWithFlags(exec, graph, flags);
}
CUDASIM_API cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph,
                                             cudaGraphNode_t* error_node, char* log, size_t bytes) {
  if (error_node != nullptr) *error_node = nullptr;
  if (log != nullptr && bytes > 0) *log = '\0';
  return cudaGraphInstantiateWithFlags(exec, graph, 0);
}

// The second one: before CUDA 12.
CUDASIM_API cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                            cudaGraphExecUpdateResultInfo* result) {
  return cudasimGraphExecUpdate(exec, graph, result);
}
CUDASIM_API cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                            cudaGraphNode_t* error_node,
                                            cudaGraphExecUpdateResult* result) {
  cudaGraphExecUpdateResultInfo info = {cudaGraphExecUpdateSuccess, nullptr, nullptr};
  const cudaError_t error = cudasimGraphExecUpdate(exec, graph, &info);
  if (error_node != nullptr) *error_node = info.errorNode;
  if (result != nullptr) *result = info.result;
  return error;
}

CUDASIM_API cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                               const cudaGraphNode_t* dependencies, size_t count,
                                               const cudaKernelNodeParams* parameters,
                                               const char* file = __builtin_FILE(),
                                               int line = __builtin_LINE()) {
  return cudasimGraphAddKernelNode(node, graph, dependencies, count, parameters, {file, line});
}
CUDASIM_API cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                                     const cudaKernelNodeParams* parameters,
                                                     const char* file = __builtin_FILE(),
                                                     int line = __builtin_LINE()) {
  return cudasimGraphKernelNodeSetParams(nullptr, node, parameters, {file, line});
}
CUDASIM_API cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                         const cudaKernelNodeParams* parameters,
                                                         const char* file = __builtin_FILE(),
                                                         int line = __builtin_LINE()) {
  return cudasimGraphKernelNodeSetParams(&exec, node, parameters, {file, line});
}
CUDASIM_API cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node,
                                               cudaGraphNodeParams* parameters,
                                               const char* file = __builtin_FILE(),
                                               int line = __builtin_LINE()) {
  return cudasimGraphNodeSetParams(nullptr, node, parameters, {file, line});
}
CUDASIM_API cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                   cudaGraphNodeParams* parameters,
                                                   const char* file = __builtin_FILE(),
                                                   int line = __builtin_LINE()) {
  return cudasimGraphNodeSetParams(&exec, node, parameters, {file, line});
}
#undef CUDASIM_API
