// What a student reads of the compiler's messages on rewritten text.
#include "common/cudasim/messages/messages.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

namespace cudasim::messages {
namespace {

std::string Shown(const std::string& said) {
  Messages messages("sim/");
  std::istringstream lines(said);
  std::string shown;
  for (std::string line; std::getline(lines, line);) shown += messages.Add(line);
  return shown + messages.Finish();
}

TEST(MessagesTest, FindsTheHeadersByTheLineMarkers) {
  EXPECT_EQ(FindHeaders("# 0 \"a.cu\"\n# 1 \"x/include/cuda_runtime.h\" 1 3\n"), "x/include/");
  EXPECT_EQ(FindHeaders("# 0 \"a.cu\"\nint x;\n"), "");
}

TEST(MessagesTest, LeavesWhatNamesTheStudentsCodeAsItIs) {
  const std::string said =
      "a.cu: In function 'int main()':\n"
      "a.cu:6: error: no matching function for call to 'K(int*&, int)'\n"
      "a.cu:1: note: candidate: 'template<class T> void K(T*)'\n"
      "In file included from a.cu:3:\n"
      "b.h: In instantiation of 'T f(T) [with T = int]':\n"
      "a.cu:5:   required from here\n"
      "b.h:1: error: request for member 'x' in '* p', which is of non-class type 'int'\n"
      "compilation terminated due to -fmax-errors=2.\n";
  EXPECT_EQ(Shown(said), said);
}

TEST(MessagesTest, LeavesOutHowTheSimulatorRunsAKernel) {
  EXPECT_EQ(Shown("In lambda function,\n"
                  "    inlined from 'void cudasim::RunRow(BlockCursor*, const void*) [with Body = "
                  "S(float*)::<lambda()>]' at sim/cudasim/run_threads.h:31,\n"
                  "    inlined from 'void cudasim::RunThreads(const void*) [with Body = "
                  "S(float*)::<lambda()>]' at sim/cudasim/run_threads.h:60:\n"
                  "a.cu:30: warning: array subscript 16 is above array bounds of 'float [16]'\n"
                  "a.cu: In function 'void cudasim::RunThreads(const void*) [with Body = "
                  "S(float*)::<lambda()>]':\n"
                  "a.cu:29: note: while referencing 't'\n"),
            "a.cu:30: warning: array subscript 16 is above array bounds of 'float [16]'\n"
            "a.cu:29: note: while referencing 't'\n");
}

TEST(MessagesTest, MovesAnErrorInAHeaderToTheLineThatLedToIt) {
  EXPECT_EQ(Shown("In file included from sim/cuda_runtime.h:39,\n"
                  "                 from <command-line>:\n"
                  "sim/cudasim/launch.h: In instantiation of 'void cudasim::CallWith(void (*)(P "
                  "...), void**) [with P = {N}]':\n"
                  "sim/cudasim/launch.h:86:   required from 'void cudasim::AnswerCallByAddress("
                  "const KernelSource&) [with P = {N}]'\n"
                  "d.cu:4:   required from here\n"
                  "sim/cudasim/launch.h:77: error: use of deleted function 'N::N(const N&)'\n"
                  "d.cu:3: note: declared here\n"),
            "d.cu:4: error: use of deleted function 'N::N(const N&)'\n"
            "d.cu:3: note: declared here\n");
}

TEST(MessagesTest, PutsANoteOnAHeaderAtTheLineOfItsError) {
  EXPECT_EQ(Shown("a.cu:8: error: cannot convert 'double*' to 'float*'\n"
                  "In file included from sim/cuda_runtime.h:30,\n"
                  "                 from <command-line>:\n"
                  "sim/cudasim/api.h:105: note:   initializing argument 1 of 'cudaError_t "
                  "cudaEventElapsedTime(float*, cudaEvent_t, cudaEvent_t)'\n"),
            "a.cu:8: error: cannot convert 'double*' to 'float*'\n"
            "a.cu:8: note:   initializing argument 1 of 'cudaError_t "
            "cudaEventElapsedTime(float*, cudaEvent_t, cudaEvent_t)'\n");
}

TEST(MessagesTest, NamesTypesAsTheStudentDoes) {
  EXPECT_EQ(Shown("a.cu: In lambda function:\n"
                  "a.cu:14: error: cannot convert 'cudasim::LaneValue<const char*>' {aka 'const "
                  "char*'} to 'float' in initialization\n"
                  "a.cu: In instantiation of 'K<T>(T*)::<lambda()> mutable [with T = int]':\n"
                  "a.cu:5:   required from here\n"
                  "a.cu:1: error: request for member 'x' in '* p'\n"),
            "a.cu:14: error: cannot convert 'const char*' to 'float' in initialization\n"
            "a.cu: In instantiation of 'K<T>(T*) [with T = int]':\n"
            "a.cu:5:   required from here\n"
            "a.cu:1: error: request for member 'x' in '* p'\n");
}

TEST(MessagesTest, ShowsAnErrorInAHeaderWhenThereIsNoOther) {
  const std::string said = "sim/cudasim/shared.h:56: error: no matching function\n";
  EXPECT_EQ(Shown(said), said);
  EXPECT_EQ(Shown("a.cu:2: error: x\n" + said), "a.cu:2: error: x\n");
}

TEST(MessagesTest, PassesOnWhatIsNoMessageOfTheCompiler) {
  const std::string said =
      "\n/tmp/x.s: Assembler messages:\n/tmp/x.s:12: Error: bad register name\n" +
      std::string(100'000, '\'') + "\n:::\n";
  EXPECT_EQ(Shown(said), said);
}

}  // namespace
}  // namespace cudasim::messages
