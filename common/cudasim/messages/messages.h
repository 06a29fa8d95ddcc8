// The compiler's messages on rewritten text, in terms of the student's file.
//
// Expects messages without columns and excerpts, which would be those of the rewritten text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cudasim::messages {

// The folder of the simulator's headers, with its last slash, as the line markers of preprocessed
// text name it; empty if there are none.
std::string FindHeaders(std::string_view preprocessed);

// Filters messages line by line.  A message on a header of the simulator is moved to the line of
// the student's file that led to it; what names only the simulator's own code is left out.
class Messages {
 public:
  explicit Messages(std::string headers) : headers_(std::move(headers)) {}

  // Takes a line without its end; returns the lines, each with its end, that are known to be shown.
  std::string Add(std::string_view line);

  // Returns what is left after the last line.
  std::string Finish();

 private:
  struct Diagnostic;
  bool IsOurs(std::string_view path) const;
  bool IsContext(std::string_view line) const;
  std::string Show(const Diagnostic& diagnostic);
  std::string TakeContext(std::string_view without);
  std::string PlaceInContext() const;

  std::string headers_;
  std::vector<std::string> context_;  // lines in front of a message that say how it came about
  std::string last_place_;            // of the last message shown; empty if it was left out
};

}  // namespace cudasim::messages
