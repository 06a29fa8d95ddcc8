#include "grader/judging/kit/instrument/instrument.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

namespace grader::instrument {
namespace {

const std::string kRead = "  call void @__tsan_read_range(i8* ";
const std::string kWrite = "  call void @__tsan_write_range(i8* ";

// What is added to a function of these lines, whose other lines must stay in order.
Lines Added(Lines body) {
  body.insert(body.begin(), "define void @F(i32* %0) {");
  body.push_back("}");
  Lines added;
  std::size_t kept = 0;
  for (const std::string& line : Optimised(body)) {
    if (kept < body.size() && line == body[kept]) {
      ++kept;
    } else {
      added.push_back(line);
    }
  }
  EXPECT_EQ(kept, body.size());
  return added;
}

// Without the declarations.
Lines Announced(const std::string& line) {
  Lines added = Added({line});
  std::erase_if(added, [](const std::string& other) { return other.starts_with("declare "); });
  return added;
}

// Whether the last line's pointer is used once more.
bool IsUsedBefore(Lines lines, const std::string& pointer) {
  const Lines added = Added(std::move(lines));
  const std::string use = "  call void asm sideeffect \"\", \"r\"(" + pointer + ")";
  return std::find(added.begin(), added.end(), use) != added.end();
}

TEST(UnoptimisedTest, LetsNoLoopAskToBeVectorised) {
  const Lines program = {"@0 = constant [9 x i8] c\"vectorize\"",
                         "!7 = !{!\"llvm.loop.vectorize.enable\", i1 true}",
                         "!8 = distinct !{!8, !7}"};
  EXPECT_EQ(Unoptimised(program),
            (Lines{program[0], "!7 = !{!\"llvm.loop.vectorize.enable\", i1 false}", program[2]}));
}

TEST(UnoptimisedTest, KnowsNoPointersToVirtualTables) {
  EXPECT_EQ(Unoptimised({"!7 = !{!\"vtable pointer\", !8, i64 0}"}),
            (Lines{"!7 = !{!\"pointer to a vtable\", !8, i64 0}"}));
}

TEST(OptimisedTest, LeavesInstrumentedAccessesAlone) {
  for (const char* const type : {"i1", "i8", "i16", "i32", "i64", "i128", "half", "float", "double",
                                 "<2 x double>", "<4 x float>", "<2 x i32*>", "<8 x i1>", "i32*",
                                 "%struct.S*", "[3 x i32]", "{ i64, i32 }"}) {
    const std::string text = type;
    EXPECT_EQ(Added({"  %2 = load " + text + ", " + text + "* %1, align 4"}), Lines{}) << text;
    EXPECT_EQ(Added({"  store " + text + " %2, " + text + "* %1, align 4"}), Lines{}) << text;
  }
}

TEST(OptimisedTest, AnnouncesAccessesOfOtherSizes) {
  const std::pair<std::string, std::string> kCases[] = {
      {"x86_fp80", "10"},   {"i24", "3"},           {"i17", "3"},
      {"i40", "5"},         {"<4 x double>", "32"}, {"<3 x i8>", "3"},
      {"<8 x i32*>", "64"}, {"<16 x float>", "64"}, {"<2 x x86_fp80>", "20"}};
  for (const auto& [type, bytes] : kCases) {
    const std::string cast = "  %instrumented.0 = bitcast " + type + "* %1 to i8*";
    EXPECT_EQ(Announced("  %2 = load " + type + ", " + type + "* %1, align 4, !dbg !7, !tbaa !5"),
              (Lines{cast, kRead + "%instrumented.0, i64 " + bytes + "), !dbg !7"}));
    EXPECT_EQ(Announced("  store volatile " + type + " %2, " + type + "* %1, align 4"),
              (Lines{cast, kWrite + "%instrumented.0, i64 " + bytes + ")"}));
  }
}

TEST(OptimisedTest, AnnouncesWhatAConstantExpressionPointsTo) {
  const std::string pointer = "i24* bitcast ({ [3 x i8], i8 }* @\"a, b\" to i24*)";
  EXPECT_EQ(Announced("  store i24 %4, " + pointer + ", align 4")[0],
            "  %instrumented.0 = bitcast " + pointer + " to i8*");
}

TEST(OptimisedTest, DeclaresWhatItCallsOnce) {
  const std::string load = "  %2 = load i24, i24* %1, align 4";
  const Lines added = Added({load, load, load});
  ASSERT_EQ(added.size(), 8U);
  EXPECT_EQ(added[4], "  %instrumented.2 = bitcast i24* %1 to i8*");
  EXPECT_EQ(added[6], "declare void @__tsan_read_range(i8*, i64)");
  EXPECT_EQ(added[7], "declare void @__tsan_write_range(i8*, i64)");
}

TEST(OptimisedTest, LeavesAtomicAccessesAlone) {
  EXPECT_EQ(Added({"  %2 = load atomic i24, i24* %1 seq_cst, align 4"}), Lines{});
  EXPECT_EQ(Added({"  store atomic volatile i24 %2, i24* %1 release, align 4"}), Lines{});
}

TEST(OptimisedTest, AnnouncesStructsThatAreReadForACall) {
  const std::string bytes = "i64 ptrtoint (%S* getelementptr (%S, %S* null, i32 1) to i64)";
  for (const char* const value :
       {"%5", "@shared", "getelementptr inbounds ([3 x %S], [3 x %S]* @\"a, )\", i64 0, i64 1)",
        "bitcast ([32 x i8]* @place to %S*)"}) {
    const std::string by_value = "%S* noundef nonnull byval(%S) align 8 " + std::string(value);
    const Lines wanted = {"  %instrumented.0 = bitcast %S* " + std::string(value) + " to i8*",
                          kRead + "%instrumented.0, " + bytes + ")"};
    EXPECT_EQ(Announced("  %6 = tail call i64 @G(i32 1, " + by_value + ", i32* %3)"), wanted);
    EXPECT_EQ(Announced("  invoke void @G(" + by_value + ")"), wanted);
  }
}

TEST(OptimisedTest, AnnouncesEachStructOfACall) {
  const Lines announced =
      Announced("  call void @G(%S* byval(%S) align 8 %1, %\"T<1, 2>\"* byval(%\"T<1, 2>\") %2)");
  ASSERT_EQ(announced.size(), 4U);
  EXPECT_EQ(announced[0], "  %instrumented.0 = bitcast %S* %1 to i8*");
  EXPECT_EQ(announced[2], "  %instrumented.1 = bitcast %\"T<1, 2>\"* %2 to i8*");
}

TEST(OptimisedTest, AnnouncesListsOfVariableArguments) {
  EXPECT_EQ(
      Announced("  call void @llvm.va_start(i8* nonnull %3)"),
      (Lines{"  %instrumented.0 = bitcast i8* %3 to i8*", kWrite + "%instrumented.0, i64 24)"}));
  EXPECT_EQ(Announced("  call void @llvm.va_copy(i8* @to, i8* nonnull %3), !dbg !9"),
            (Lines{"  %instrumented.0 = bitcast i8* @to to i8*",
                   kWrite + "%instrumented.0, i64 24), !dbg !9",
                   "  %instrumented.1 = bitcast i8* %3 to i8*",
                   kRead + "%instrumented.1, i64 24), !dbg !9"}));
}

TEST(OptimisedTest, ReadsPointersWithoutATypeOfWhatTheyPointTo) {
  EXPECT_EQ(Added({"  %2 = load x86_fp80, ptr %1, align 16"}),
            (Lines{"  %instrumented.0 = bitcast ptr %1 to ptr",
                   "  call void @__tsan_read_range(ptr %instrumented.0, i64 10)",
                   "declare void @__tsan_read_range(ptr, i64)",
                   "declare void @__tsan_write_range(ptr, i64)"}));
  EXPECT_EQ(Announced("  call void @G(ptr noundef byval(%S) align 8 @shared)"),
            (Lines{"  %instrumented.0 = bitcast ptr @shared to ptr",
                   "  call void @__tsan_read_range(ptr %instrumented.0, i64 ptrtoint (ptr "
                   "getelementptr (%S, "
                   "ptr null, i32 1) to i64))"}));
  EXPECT_EQ(Announced("  call void @llvm.va_start.p0(ptr nonnull %3)")[0],
            "  %instrumented.0 = bitcast ptr %3 to ptr");
}

const std::string kArray = "  %1 = alloca [4 x i32], align 16";
const std::string kElement = "  %2 = getelementptr [4 x i32], [4 x i32]* %1, i64 0, i64 %0";
const std::string kShared = "  call void @Share([4 x i32]* %1)";
const std::string kLoad = "  %3 = load i32, i32* %2, align 4";

TEST(LocalObjectsTest, UsesPointersIntoAnArrayThatOthersKnow) {
  EXPECT_TRUE(IsUsedBefore({kArray, kShared, kElement, kLoad}, "i32* %2"));
  EXPECT_TRUE(IsUsedBefore({kArray, kElement, kLoad, kShared}, "i32* %2"));
  EXPECT_TRUE(
      IsUsedBefore({kArray, kElement, "  store i32 7, i32* %2, align 4", kShared}, "i32* %2"));
}

TEST(LocalObjectsTest, LeavesAFunctionsOwnArrayAlone) {
  EXPECT_EQ(Added({kArray, "  call void @llvm.lifetime.start.p0i8(i64 16, [4 x i32]* %1)", kElement,
                   kLoad, "  store i32 %3, i32* %2, align 4", "  %4 = icmp eq i32* %2, null"}),
            Lines{});
}

TEST(LocalObjectsTest, KnowsTheWaysByWhichAnAddressGoesElsewhere) {
  for (const char* const line :
       {"  store [4 x i32]* %1, [4 x i32]** @place, align 8",
        "  %9 = ptrtoint [4 x i32]* %1 to i64", "  ret [4 x i32]* %1",
        "  %9 = invoke i32 @G([4 x i32]* nonnull %1)",
        "  %9 = cmpxchg i32** @place, i32* null, i32* %2 seq_cst seq_cst, align 8",
        "  store atomic i32* %2, i32** @place seq_cst, align 8"}) {
    EXPECT_TRUE(IsUsedBefore({kArray, kElement, kLoad, line}, "i32* %2")) << line;
  }
}

TEST(LocalObjectsTest, FollowsPointersThroughInstructions) {
  for (const char* const line :
       {"  %5 = bitcast i32* %2 to i32*", "  %5 = getelementptr i32, i32* %2, i64 1",
        "  %5 = call i32* @Same(i32* returned %2)", "  %5 = phi i32* [ %2, %0 ]",
        "  %5 = select i1 %4, i32* %2, i32* %2"}) {
    EXPECT_TRUE(IsUsedBefore({kArray, kElement, kShared, line, "  %6 = load i32, i32* %5, align 4"},
                             "i32* %5"))
        << line;
  }
}

TEST(LocalObjectsTest, LeavesAnObjectsOwnAddressAlone) {
  EXPECT_EQ(Added({"  %1 = alloca i32, align 4", "  call void @Share(i32* %1)",
                   "  %2 = load i32, i32* %1, align 4"}),
            Lines{});
}

TEST(LocalObjectsTest, KeepsFunctionsApart) {
  const Lines program = {"define void @F() {",
                         kArray,
                         kShared,
                         "}",
                         "define void @G([4 x i32]* %1) {",
                         kElement,
                         kLoad,
                         "}"};
  EXPECT_EQ(Optimised(program), program);
}

TEST(OrdersTest, OrdersTasksBeforeTheirResultsAreCombined) {
  const Lines combine = {"define internal void @.red_comb.(i8* %0, i8* %1) {", "  ret void", "}"};
  const Lines task = {"define internal noundef i32 @.omp_task_entry.(i32 %0, %S* %1) {",
                      "  br label %2",
                      "",
                      "2:",
                      "  ret i32 0",
                      "}"};
  Lines program = task;
  program.insert(program.end(), combine.begin(), combine.end());
  EXPECT_EQ(
      Optimised(program),
      (Lines{task[0], task[1], task[2], task[3], "  call void @__tsan_lab_task_ends()", task[4],
             task[5], combine[0], "  call void @__tsan_lab_tasks_combine()", combine[1], combine[2],
             "declare void @__tsan_lab_task_ends()", "declare void @__tsan_lab_tasks_combine()"}));
  EXPECT_EQ(Optimised(task), task);
}

TEST(OptimisedTest, KeepsATextThatItDoesNotUnderstand) {
  const Lines text = {"define",
                      "  %",
                      "  %\"",
                      "  store",
                      "  load i24",
                      "  %1 = load i24, ",
                      "  call byval(",
                      "  call @llvm.va_copy",
                      "  call @llvm.va_copy(",
                      "  store <",
                      "define x",
                      "  store i24 1, i24* \"",
                      "  invoke  byval() %"};
  const Lines result = Optimised(text);
  std::size_t kept = 0;
  for (const std::string& line : result) kept += kept < text.size() && line == text[kept] ? 1 : 0;
  EXPECT_EQ(kept, text.size());
}

}  // namespace
}  // namespace grader::instrument
