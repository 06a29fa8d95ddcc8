#pragma once

namespace lab {

// The functions' side of common/lab/call/team_size.h and of NestedCalls: sets the team size through
// OpenMP's functions, where there is OpenMP. Copyable.
class OpenMpSetter {
 public:
  using Get = int (*)();
  using Set = void (*)(int);

  struct Functions {
    Get get_max_threads;
    Set set_num_threads;
    Get get_max_active_levels;
    Set set_max_active_levels;
  };

  // If any of them is null, Apply does nothing. Remembers the current settings.
  explicit OpenMpSetter(const Functions& functions) {
    if (functions.get_max_threads == nullptr || functions.set_num_threads == nullptr ||
        functions.get_max_active_levels == nullptr || functions.set_max_active_levels == nullptr) {
      return;
    }
    functions_ = functions;
    threads_ = functions.get_max_threads();
    levels_ = functions.get_max_active_levels();
  }

  // Regions that the calling thread enters from now on get `threads` threads, the remembered number
  // for 0; if `nested`, one thread, whatever number a region asks for.
  void Apply(int threads, bool nested) const {
    if (functions_.set_num_threads == nullptr) return;
    functions_.set_num_threads(threads == 0 ? threads_ : threads);
    functions_.set_max_active_levels(nested ? 0 : levels_);
  }

 private:
  Functions functions_{};
  int threads_ = 0;
  int levels_ = 1;
};

}  // namespace lab
