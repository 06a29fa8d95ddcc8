#pragma once

// How far a test program has come, in a page of memory that it shares with the guard around it. The
// page outlives the program, so the guard can name the test that crashed or called exit().

#include <string>

namespace lab {

class Progress {
 public:
  // The guard's side: makes a page and names it in the environment (LAB_PROGRESS_FD), which the
  // program inherits. Throws std::system_error if there is no memory for it.
  static Progress Create();

  // The program's side: the page of the guard around it. Without a guard it does nothing.
  static Progress OfEnvironment();

  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  // Whether there is a page.
  bool shared() const { return page_ != nullptr; }

  // The command that repeats this run; a long one is cut.
  void SetReplayCommand(const std::string& command);
  // `test` runs now; a long name is cut.
  void Start(const std::string& test);
  // No test runs now.
  void EndTest();
  // All tests are over and the program will end with `exit_code`.
  void Finish(int exit_code);

  // What SetReplayCommand was told; empty if nothing.
  std::string replay_command() const;
  // The test that ran last and had not ended; empty if none.
  std::string running_test() const;
  // Whether any test started.
  bool started() const;
  // Whether Finish was called.
  bool finished() const;
  // What Finish was told.
  int exit_code() const;

 private:
  struct Page;
  explicit Progress(Page* page) : page_(page) {}

  Page* page_;
};

}  // namespace lab
