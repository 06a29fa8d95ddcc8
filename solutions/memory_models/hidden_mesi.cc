// The hidden test of CountMesi.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/lab/call/callers.h"
#include "common/lab/call/sizes.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "labs/memory_models/answers.h"
#include "labs/memory_models/memory_models.h"

namespace memory_models::mesi {

using Accesses = std::vector<CoherentAccess>;

const lab::Function<decltype(CountMesi)> count_mesi{"CountMesi"};

// The protocol's states one by one, and for each miss a walk back through all accesses.
MesiTraffic Expected(const Accesses& accesses, std::int32_t processors, std::uint64_t line_bytes) {
  std::map<std::pair<std::uint64_t, std::int32_t>, char> states;
  std::map<std::pair<std::uint64_t, std::int32_t>, std::size_t> lost;
  MesiTraffic bus{};
  for (std::size_t now = 0; now < accesses.size(); ++now) {
    const auto& [me, kind, address] = accesses[now];
    const std::uint64_t line = address / line_bytes;
    const auto state_of = [&](std::int32_t who) -> char& {
      return states.try_emplace({line, who}, 'I').first->second;
    };
    char& own = state_of(me);
    const bool is_miss = own == 'I';
    bool is_alone = true;
    if (is_miss) {
      ++(kind == Kind::kLoad ? bus.reads : bus.exclusive_reads);
      if (const auto found = lost.find({line, me}); found != lost.end()) {
        bool is_news = false;
        for (std::size_t i = found->second; i < now; ++i) {
          is_news |= accesses[i].kind == Kind::kStore && accesses[i].address == address;
        }
        bus.false_sharing += !is_news;
        lost.erase(found);
      }
    }
    bus.upgrades += kind == Kind::kStore && own == 'S';
    for (std::int32_t who = 0; who < processors; ++who) {
      char& other = state_of(who);
      if (who == me || other == 'I') continue;
      is_alone = false;
      bus.write_backs += other == 'M';
      if (kind == Kind::kStore) {
        ++bus.invalidations;
        other = 'I';
        lost[{line, who}] = now;
      } else {
        other = 'S';
      }
    }
    if (kind == Kind::kStore) {
      own = 'M';
    } else if (is_miss) {
      own = is_alone ? 'E' : 'S';
    }
  }
  return bus;
}

void ExpectRight(const Accesses& accesses, std::int32_t processors, std::int32_t line_bytes,
                 const std::string& what) {
  ASSERT_EQ(Text(count_mesi(accesses, processors, line_bytes)),
            Text(std::optional(Expected(accesses, processors, line_bytes))))
      << what << ": " << accesses.size() << " accesses, " << processors << " processors, lines of "
      << line_bytes << " bytes";
}

Accesses AnyAccesses(lab::Random& random, std::size_t size, std::int32_t processors,
                     std::uint64_t words) {
  Accesses accesses;
  for (std::size_t i = 0; i < size; ++i) {
    accesses.push_back({random.UniformInt<std::int32_t>(0, processors - 1),
                        random.UniformInt(0, 2) == 0 ? Kind::kStore : Kind::kLoad,
                        random.UniformInt<std::uint64_t>(0, words - 1) * 4});
  }
  return accesses;
}

TEST(CountMesiTest, CountsNothingWithoutAccesses) {
  EXPECT_EQ(Text(count_mesi(Accesses{}, 1, 64)),
            "0 reads, 0 exclusive reads, 0 upgrades, 0 invalidations, 0 write-backs, "
            "0 by false sharing");
}

TEST(CountMesiTest, TakesAnyAccessesOfFewWords) {
  lab::Random random;
  for (int round = 0; round < 150; ++round) {
    const auto processors = random.UniformInt<std::int32_t>(1, 1 + round % 8);
    const Accesses accesses =
        AnyAccesses(random, random.UniformInt<std::size_t>(1, 60), processors, 1 + round % 12);
    ASSERT_NO_FATAL_FAILURE(ExpectRight(accesses, processors, 4 << round % 4, "any accesses"));
  }
}

TEST(CountMesiTest, TakesSixtyFourProcessors) {
  lab::Random random;
  ExpectRight(AnyAccesses(random, 400, 64, 20), 64, 64, "many processors");
  Accesses all;
  for (std::int32_t who = 0; who < 64; ++who) all.push_back({who, Kind::kLoad, 8});
  all.push_back({63, Kind::kStore, 8});
  ExpectRight(all, 64, 64, "a store to a line that all share");
}

TEST(CountMesiTest, LeavesALineExclusiveToItsOnlyReader) {
  ExpectRight({{0, Kind::kLoad, 0}, {0, Kind::kStore, 0}, {0, Kind::kStore, 4}}, 2, 64, "own line");
  ExpectRight({{0, Kind::kLoad, 0}, {1, Kind::kStore, 0}, {0, Kind::kStore, 0}}, 2, 64,
              "a store by another");
}

TEST(CountMesiTest, TellsFalseFromTrueSharing) {
  ExpectRight({{0, Kind::kLoad, 0}, {1, Kind::kStore, 4}, {0, Kind::kLoad, 0}}, 2, 64, "false");
  ExpectRight({{0, Kind::kLoad, 0}, {1, Kind::kStore, 0}, {0, Kind::kLoad, 0}}, 2, 64, "true");
  ExpectRight(
      {{0, Kind::kLoad, 0}, {1, Kind::kStore, 4}, {1, Kind::kStore, 0}, {0, Kind::kLoad, 0}}, 2, 64,
      "true by a later store");
  ExpectRight({{0, Kind::kStore, 0}, {1, Kind::kStore, 4}, {0, Kind::kStore, 0}}, 2, 64,
              "the own store before counts for nothing");
  ExpectRight(
      {{1, Kind::kStore, 0}, {0, Kind::kLoad, 4}, {1, Kind::kStore, 8}, {0, Kind::kLoad, 0}}, 2, 64,
      "a store before the line was lost");
}

TEST(CountMesiTest, KeepsAddressesOfEveryKindApart) {
  const std::uint64_t high = ~std::uint64_t{3};
  ExpectRight({{0, Kind::kStore, 0}, {1, Kind::kStore, high}, {0, Kind::kLoad, high}}, 2, 4096,
              "the first and the last line");
}

// Two processors that store in turns: each store misses, and takes the line from the other.
TEST(CountMesiTest, TakesManyAccesses) {
  const std::size_t n = lab::Scaled(1'000'000);
  Accesses turns;
  for (std::size_t i = 0; i < n; ++i) {
    turns.push_back({static_cast<std::int32_t>(i % 2), Kind::kStore, i % 2 * 4});
  }
  const auto misses = static_cast<std::int64_t>(n);
  EXPECT_EQ(Text(count_mesi(turns, 2, 64)),
            Text(MesiTraffic{0, misses, 0, misses - 1, misses - 1, misses - 2}));
  Accesses lines;
  for (std::size_t i = 0; i < n; ++i) {
    lines.push_back({static_cast<std::int32_t>(i % 2), Kind::kStore, i / 2 * 4096});
  }
  EXPECT_EQ(Text(count_mesi(lines, 64, 64)),
            Text(MesiTraffic{0, misses, 0, misses / 2, misses / 2, 0}));
}

TEST(CountMesiTest, HasNoValueForWhatIsNoAccessOrCache) {
  const Accesses right{{0, Kind::kLoad, 8}};
  for (const std::int32_t processors : {0, -1, 65}) {
    EXPECT_EQ(Text(count_mesi(right, processors, 64)), "no value") << processors;
  }
  for (const std::int32_t bytes : {0, 2, 48, 8192, -64}) {
    EXPECT_EQ(Text(count_mesi(right, 2, bytes)), "no value") << bytes;
  }
  for (const std::int32_t who : {-1, 2, 1'000'000'000}) {
    EXPECT_EQ(Text(count_mesi(Accesses{{0, Kind::kLoad, 8}, {who, Kind::kLoad, 8}}, 2, 64)),
              "no value")
        << "processor " << who << " of 2";
  }
  EXPECT_EQ(Text(count_mesi(Accesses{{0, Kind::kFence, 8}}, 2, 64)), "no value");
  EXPECT_EQ(Text(count_mesi(Accesses{{0, Kind::kLoad, 6}}, 2, 64)), "no value");
}

TEST(CountMesiTest, ServesSeveralCallersAtOnce) {
  lab::Random random;
  lab::ForSeveralCallers([&](const std::string& what) {
    ASSERT_NO_FATAL_FAILURE(ExpectRight(AnyAccesses(random, 200, 4, 40), 4, 16, what));
  });
}

}  // namespace memory_models::mesi
