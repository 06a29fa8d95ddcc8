#include "grader/sandbox/wire/wire.h"

#include <fcntl.h>
#include <unistd.h>

#include <string>

#include "gtest/gtest.h"

namespace grader::wire {
namespace {

struct Pipe {
  Pipe() { EXPECT_EQ(pipe2(fds, O_CLOEXEC), 0); }
  ~Pipe() {
    close(fds[0]);
    if (fds[1] >= 0) close(fds[1]);
  }
  void CloseWriter() {
    close(fds[1]);
    fds[1] = -1;
  }
  int fds[2];
};

TEST(WireTest, RequestArrivesAsItWasSent) {
  Pipe pipe;
  Request sent{};
  sent.magic = kMagic;
  sent.nonce = 0x1234567890abcdef;
  sent.op = Op::kCall;
  sent.argument_count = 1;
  sent.arguments[0] = {ArgumentKind::kInOut, 4, 4, 0, -1, 4092, 1};
  ASSERT_TRUE(SetFunction(sent, "SumPartial"));
  ASSERT_TRUE(WriteFrame(pipe.fds[1], &sent, sizeof sent));
  Request got{};
  ASSERT_TRUE(ReadFrame(pipe.fds[0], &got, sizeof got));
  EXPECT_EQ(got.magic, kMagic);
  EXPECT_EQ(got.nonce, sent.nonce);
  EXPECT_EQ(got.op, Op::kCall);
  EXPECT_EQ(FunctionName(got), "SumPartial");
  EXPECT_EQ(got.arguments[0].offset, 4092u);
}

TEST(WireTest, ReadingFailsWhenTheOtherEndDiesInTheMiddleOfAFrame) {
  Pipe pipe;
  ASSERT_EQ(write(pipe.fds[1], "half", 4), 4);
  pipe.CloseWriter();
  Reply reply{};
  EXPECT_FALSE(ReadFrame(pipe.fds[0], &reply, sizeof reply));
}

TEST(WireTest, LongTextIsCutToTheFrame) {
  Reply reply{};
  SetText(reply, std::string(3 * kMaxTextBytes, 'x'));
  EXPECT_EQ(Text(reply), std::string(kMaxTextBytes, 'x'));
}

TEST(WireTest, TextSizeBeyondTheFrameIsNotBelieved) {
  Reply reply{};
  reply.text_size = 0xffffffff;
  EXPECT_EQ(Text(reply).size(), kMaxTextBytes);
}

TEST(WireTest, FunctionNameWithoutAnEndIsCutToTheFrame) {
  Request request{};
  for (char& c : request.function) c = 'f';
  EXPECT_EQ(FunctionName(request).size(), kMaxNameBytes);
}

TEST(WireTest, RefusesAFunctionNameThatDoesNotFit) {
  Request request{};
  EXPECT_FALSE(SetFunction(request, std::string(kMaxNameBytes, 'f')));
  EXPECT_TRUE(SetFunction(request, std::string(kMaxNameBytes - 1, 'f')));
}

}  // namespace
}  // namespace grader::wire
