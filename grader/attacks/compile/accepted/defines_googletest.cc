// Hostile: replaces GoogleTest's verdicts; the checker, which has them, never loads the submission.
// Or: policy
namespace testing {
bool FLAGS_gtest_list_tests = true;
struct UnitTest {
  bool Passed() const;
};
bool UnitTest::Passed() const { return true; }
int UnitTestFailures() { return 0; }
}  // namespace testing
