// cuda::pipeline: stages that producers fill and consumers empty, in order.
#pragma once

#include "cudasim/libcu_async.h"

namespace cudasim {

// A stage's barriers: its data are there; they have been used.
template <::cuda::thread_scope Scope>
struct PipelineStage {
  ::cuda::barrier<Scope> produced;
  ::cuda::barrier<Scope> consumed;
};

}  // namespace cudasim

namespace cuda {

enum class pipeline_role { producer, consumer };

template <thread_scope Scope, ::std::uint8_t kStages>
class pipeline_shared_state {
 public:
  pipeline_shared_state() = default;
  pipeline_shared_state(const pipeline_shared_state&) = delete;
  pipeline_shared_state& operator=(const pipeline_shared_state&) = delete;

 private:
  ::cudasim::PipelineStage<Scope> stages_[kStages];

  template <thread_scope>
  friend class pipeline;
};

// One for the threads of a group, which share its stages.
template <thread_scope Scope>
class pipeline {
 public:
  // Each thread of the group makes the call.
  template <class Group, ::std::uint8_t kStages>
  CUDASIM_INLINE pipeline(const Group& group, pipeline_shared_state<Scope, kStages>* state,
                          unsigned producers, unsigned consumers, const char* file, int line)
      : stages_(state->stages_), count_(kStages) {
    if (group.thread_rank() == 0) {
      for (unsigned i = 0; i < count_; ++i) {
        init(&stages_[i].produced, producers);
        init(&stages_[i].consumed, consumers);
      }
    }
    group.sync(file, line);
  }
  pipeline(pipeline&&) = default;
  pipeline& operator=(const pipeline&) = delete;

  CUDASIM_INLINE void producer_acquire() {
    const unsigned round = filled_ / count_;
    if (round == 0) return;
    Wait(stages_[filled_ % count_].consumed, round - 1);
  }
  CUDASIM_INLINE void producer_commit(CUDASIM_HERE) {
    (void)stages_[filled_ % count_].produced.arrive(1, file, line);
    ++filled_;
  }
  CUDASIM_INLINE void consumer_wait() {
    Wait(stages_[emptied_ % count_].produced, emptied_ / count_);
  }
  template <class Time>
  CUDASIM_INLINE bool consumer_wait_for(const Time&) {
    consumer_wait();
    return true;
  }
  CUDASIM_INLINE void consumer_release(CUDASIM_HERE) {
    (void)stages_[emptied_ % count_].consumed.arrive(1, file, line);
    ++emptied_;
  }
  CUDASIM_INLINE bool quit() { return true; }

  // For the simulator.
  CUDASIM_INLINE const void* CopyBarrier() const {
    return stages_[filled_ % count_].produced.State();
  }
  CUDASIM_INLINE void WaitForAllBut(unsigned stages) {
    for (unsigned i = emptied_; i + stages < filled_; ++i) {
      Wait(stages_[i % count_].produced, i / count_);
    }
  }

 private:
  static CUDASIM_INLINE void Wait(const barrier<Scope>& barrier, unsigned phase) {
    ::cudasim::WaitUntil(barrier.State(), ::cudasim::kWaitIn<Scope>,
                         ::cudasim::PhaseIsOver{phase & 0xFFFFFF});
  }

  ::cudasim::PipelineStage<Scope>* stages_;
  unsigned count_;
  unsigned filled_ = 0;   // stages, by this thread as a producer
  unsigned emptied_ = 0;  // by this thread as a consumer
};

// The calling thread's own copies.
template <>
class pipeline<thread_scope_thread> {
 public:
  pipeline() = default;
  pipeline(pipeline&&) = default;
  pipeline& operator=(const pipeline&) = delete;

  CUDASIM_INLINE void producer_acquire() {}
  CUDASIM_INLINE void producer_commit() {
    ::cudasim::CommitCopies();
    ++filled_;
  }
  CUDASIM_INLINE void consumer_wait() {
    if (filled_ > emptied_) ::cudasim::WaitForCopies(filled_ - emptied_ - 1);
  }
  template <class Time>
  CUDASIM_INLINE bool consumer_wait_for(const Time&) {
    consumer_wait();
    return true;
  }
  CUDASIM_INLINE void consumer_release() { ++emptied_; }
  CUDASIM_INLINE bool quit() { return true; }

  CUDASIM_INLINE const void* CopyBarrier() const { return nullptr; }
  CUDASIM_INLINE void WaitForAllBut(unsigned stages) { ::cudasim::WaitForCopies(stages); }

 private:
  unsigned filled_ = 0;
  unsigned emptied_ = 0;
};

CUDASIM_INLINE pipeline<thread_scope_thread> make_pipeline() { return {}; }

// All threads produce and consume.
template <class Group, thread_scope Scope, ::std::uint8_t kStages>
CUDASIM_INLINE pipeline<Scope> make_pipeline(const Group& group,
                                             pipeline_shared_state<Scope, kStages>* state,
                                             CUDASIM_HERE) {
  const auto all = static_cast<unsigned>(group.size());
  return {group, state, all, all, file, line};
}

// The first `producers` threads of the group produce.
template <class Group, thread_scope Scope, ::std::uint8_t kStages>
CUDASIM_INLINE pipeline<Scope> make_pipeline(const Group& group,
                                             pipeline_shared_state<Scope, kStages>* state,
                                             ::std::size_t producers, CUDASIM_HERE) {
  const auto first = static_cast<unsigned>(producers);
  return {group, state, first, static_cast<unsigned>(group.size()) - first, file, line};
}

// Each thread of the block names its role.
template <class Group, thread_scope Scope, ::std::uint8_t kStages>
CUDASIM_INLINE pipeline<Scope> make_pipeline(const Group& group,
                                             pipeline_shared_state<Scope, kStages>* state,
                                             pipeline_role role, CUDASIM_HERE) {
  const auto first = static_cast<unsigned>(
      cudasim_syncthreads_reduce(file, line, role == pipeline_role::producer ? 1 : 0, 0));
  return {group, state, first, static_cast<unsigned>(group.size()) - first, file, line};
}

template <::std::uint8_t kStages, thread_scope Scope>
CUDASIM_INLINE void pipeline_consumer_wait_prior(pipeline<Scope>& pipeline) {
  pipeline.WaitForAllBut(kStages);
}

// The thread's copies arrive with the phase of the barrier.
template <thread_scope Scope>
CUDASIM_INLINE void pipeline_producer_commit(pipeline<thread_scope_thread>&,
                                             barrier<Scope>& barrier) {
  ::cudasim::BindCopies(barrier.State());
}

}  // namespace cuda
