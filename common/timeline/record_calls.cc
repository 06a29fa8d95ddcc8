// lab::ShowParallelism() of a program that records: in place of measurements it makes a few calls
// with a team of four, and writes what happened in the one of median length.

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "common/lab/call/call_observer.h"
#include "common/lab/call/team_size.h"
#include "common/lab/testing/show_parallelism.h"
#include "common/timeline/recorder.h"

namespace lab {
namespace {

constexpr int kTeam = 4;
constexpr int kCalls = 3;

class Recording : public CallObserver {
 public:
  explicit Recording(std::string path) : path_(std::move(path)) {}

  void Begin(const Call& call) override {
    function_ = call.function;
    timeline::Start();
  }
  void End() override {
    timeline::Stop();
    if (timeline::Write(path_.c_str(), function_.c_str())) return;
    std::printf("error: cannot write %s: %s\n", path_.c_str(), std::strerror(errno));
  }

  const std::string& path() const { return path_; }

 private:
  const std::string path_;
  std::string function_;
};

struct Written {
  std::int64_t wall_ns;
  std::string path;
};

void KeepMedian(std::vector<Written> written, const std::string& path) {
  std::ranges::sort(written, {}, &Written::wall_ns);
  const std::size_t median = written.size() / 2;
  std::rename(written[median].path.c_str(), path.c_str());
  written.erase(written.begin() + static_cast<std::ptrdiff_t>(median));
  for (const Written& other : written) std::remove(other.path.c_str());
}

}  // namespace

void ShowParallelism(const std::function<void(int team)>& call) {
  const TeamSize team(kTeam);
  call(kTeam);  // threads start, caches warm up
  const char* folder = std::getenv("LAB_TIMELINE");
  if (folder == nullptr || testing::Test::HasFailure()) return;
  timeline::EventNanoseconds();
  static int calls = 0;
  std::vector<Written> written;
  const std::string path = std::string(folder) + "/" + std::to_string(++calls);
  for (int i = 0; i < kCalls; ++i) {
    const Recording recording(path + "." + std::to_string(i));
    call(kTeam);
    if (testing::Test::HasFailure()) return;
    written.push_back(
        {timeline::StopNanoseconds() - timeline::StartNanoseconds(), recording.path()});
  }
  KeepMedian(std::move(written), path + ".json");
}

}  // namespace lab
