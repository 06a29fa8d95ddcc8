#pragma once

namespace lab {

// The functions' side of common/lab/team_size.h: OpenMP's two functions, where there is OpenMP.
class TeamSizeSetter {
 public:
  using Get = int (*)();
  using Set = void (*)(int);

  // With a null pointer nothing ever happens. Remembers the size that there is now.
  TeamSizeSetter(Get get_max_threads, Set set_num_threads) {
    if (get_max_threads == nullptr || set_num_threads == nullptr) return;
    set_ = set_num_threads;
    default_ = get_max_threads();
  }

  // For the regions that the calling thread enters from now on; 0: the size remembered.
  void Apply(int threads) const {
    if (set_ != nullptr) set_(threads == 0 ? default_ : threads);
  }

 private:
  Set set_ = nullptr;
  int default_ = 0;
};

}  // namespace lab
