#include "common/lab/testing/error_pattern.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <utility>

namespace lab {
namespace {

using Indices = std::vector<std::size_t>;

constexpr std::size_t kMostPeriod = 4096;
constexpr std::size_t kFewestPeriods = 3;
constexpr std::size_t kFewLoose = 8;  // elements: fewer often have a common divisor by chance
constexpr std::size_t kMostRuns = 3;  // that one phrase names
constexpr int kMostTries = 16;        // periods that are compared with all wrong elements
constexpr const char* kNames[] = {"slice", "row", "column"};

std::string Text(std::size_t number) { return std::to_string(number); }

// "32nd".
std::string Ordinal(std::size_t number) {
  const std::size_t tens = number % 100, ones = number % 10;
  const bool is_teen = tens >= 11 && tens <= 13;
  const char* const ending = is_teen || ones == 0 || ones > 3 ? "th"
                             : ones == 1                      ? "st"
                             : ones == 2                      ? "nd"
                                                              : "rd";
  return Text(number) + ending;
}

struct Run {
  std::size_t first, last;
};

std::vector<Run> RunsOf(std::span<const std::size_t> ascending) {
  std::vector<Run> runs;
  for (const std::size_t index : ascending) {
    if (!runs.empty() && runs.back().last + 1 == index) {
      runs.back().last = index;
    } else {
      runs.push_back({index, index});
    }
  }
  return runs;
}

// "0, 8 and 16 to 31"; nothing if there are too many runs.
std::optional<std::string> List(const std::vector<Run>& runs) {
  if (runs.empty() || runs.size() > kMostRuns) return std::nullopt;
  std::string text;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (i > 0) text += i + 1 == runs.size() ? " and " : ", ";
    text += Text(runs[i].first);
    if (runs[i].first < runs[i].last) text += " to " + Text(runs[i].last);
  }
  return text;
}

// "from 31 to the end"; a next element would lie at `next`.
std::string Ends(std::size_t first, std::size_t last, std::size_t next, std::size_t size) {
  return "from " + Text(first) + (next >= size ? " to the end" : " to " + Text(last));
}

std::string ButFor(std::size_t right) { return right == 0 ? "" : " but for " + Text(right); }

// Members of 0 .. size-1, with a map of them for quick questions.
class Positions {
 public:
  Positions(std::span<const std::size_t> ascending, std::size_t size)
      : list_(ascending), is_wrong_(size, false) {
    for (const std::size_t index : ascending) is_wrong_[index] = true;
  }
  std::span<const std::size_t> list() const { return list_; }
  std::size_t count() const { return list_.size(); }
  std::size_t size() const { return is_wrong_.size(); }
  std::size_t first() const { return list_.front(); }
  std::size_t last() const { return list_.back(); }
  bool has(std::size_t index) const { return is_wrong_[index]; }

 private:
  std::span<const std::size_t> list_;
  std::vector<bool> is_wrong_;
};

std::ptrdiff_t Words(const std::string& phrase) { return std::ranges::count(phrase, ' '); }

// Without a gap; with `is_loose` up to a tenth of the elements between may be right.
std::optional<std::string> AsRange(const Positions& wrong, bool is_loose) {
  const std::size_t length = wrong.last() - wrong.first() + 1;
  const std::size_t right = length - wrong.count();
  if (is_loose ? right * 10 > length : right > 0) return std::nullopt;
  return Ends(wrong.first(), wrong.last(), wrong.last() + 1, wrong.size()) + ButFor(right);
}

// At equal distances; with `is_loose` up to half of the places may be right.
std::optional<std::string> AsStride(const Positions& wrong, bool is_loose) {
  std::size_t stride = 0;
  for (const std::size_t index : wrong.list()) stride = std::gcd(stride, index - wrong.first());
  if (stride < 2 || wrong.count() < (is_loose ? kFewLoose : kFewestPeriods)) return std::nullopt;
  const std::size_t places = (wrong.last() - wrong.first()) / stride + 1;
  const std::size_t right = places - wrong.count();
  if (is_loose ? right * 2 > places : right > 0) return std::nullopt;
  return "every " + Ordinal(stride) + " " +
         Ends(wrong.first(), wrong.last(), wrong.last() + stride, wrong.size()) + ButFor(right);
}

// Refuses most periods by a few elements.
class PeriodFilter {
 public:
  explicit PeriodFilter(const Positions& wrong) : wrong_(wrong) {
    for (std::size_t i = 0; i < std::min(wrong.count(), kFew); ++i) {
      some_.push_back(wrong.list()[i]);
      some_.push_back(wrong.list()[wrong.count() * i / kFew]);
    }
    for (std::size_t i = wrong.first(); i < wrong.last() && some_.size() < 3 * kFew; ++i) {
      if (!wrong.has(i)) some_.push_back(i);
    }
    for (std::size_t i = 0; i < kFew; ++i) {
      some_.push_back(wrong.first() + (wrong.last() - wrong.first()) * i / kFew);
    }
  }

  // Whether some elements repeat so: the first wrong ones, the first right ones between them, and
  // others all over the array.
  bool Allows(std::size_t period) const {
    return std::ranges::all_of(some_, [&](std::size_t index) {
      const std::size_t next = index + period;
      return next > wrong_.last() || wrong_.has(next) == wrong_.has(index);
    });
  }

 private:
  static constexpr std::size_t kFew = 64;

  const Positions& wrong_;
  Indices some_;
};

// How many of the elements begin .. end-1, a whole number of periods from 0, are such in a period.
std::size_t PlacesIn(std::size_t begin, std::size_t end, const Indices& inside,
                     std::size_t period) {
  std::size_t places = (end - begin) / period * inside.size();
  for (const std::size_t at : inside) places += at < (end - begin) % period ? 1 : 0;
  return places;
}

// The same elements of each `period` in a row of periods.
std::optional<std::string> AsPeriod(const Positions& wrong, std::size_t period) {
  const std::size_t begin = wrong.first() / period * period;
  const std::size_t end = std::min(wrong.size(), (wrong.last() / period + 1) * period);
  if (end - begin < kFewestPeriods * period) return std::nullopt;
  std::vector<bool> in_period(period, false);
  for (const std::size_t index : wrong.list()) in_period[index % period] = true;
  Indices inside, outside;
  for (std::size_t at = 0; at < period; ++at) (in_period[at] ? inside : outside).push_back(at);
  if (PlacesIn(begin, end, inside, period) != wrong.count() || outside.empty()) {
    return std::nullopt;
  }
  const bool is_most = inside.size() * 2 > period && RunsOf(outside).size() == 1;
  const std::optional<std::string> list = List(RunsOf(is_most ? outside : inside));
  if (!list) return std::nullopt;
  const bool is_to_end = PlacesIn(begin, wrong.size(), inside, period) == wrong.count();
  const std::size_t next = is_to_end ? wrong.size() : end;
  return (is_most ? "all but " : "") + *list + " of each " + Text(period) +
         (begin == 0 && is_to_end ? "" : " " + Ends(begin, end - 1, next, wrong.size()));
}

std::optional<std::string> AsAnyPeriod(const Positions& wrong) {
  const std::size_t most = std::min(kMostPeriod, wrong.size() / kFewestPeriods);
  const PeriodFilter filter(wrong);
  int tries = 0;
  for (std::size_t period = 2; period <= most && tries < kMostTries; ++period) {
    if (!filter.Allows(period)) continue;
    ++tries;
    if (std::optional<std::string> found = AsPeriod(wrong, period)) return found;
  }
  return std::nullopt;
}

// "rows 0 and 47", "every 16th row from 0 to the end"; nothing if the numbers follow no rule.
std::optional<std::string> Along(const std::string& name, const Indices& numbers,
                                 std::size_t extent) {
  const std::string plural = name + (numbers.size() == 1 ? " " : "s ");
  if (const auto list = List(RunsOf(numbers))) return plural + *list;
  const Positions positions(numbers, extent);
  if (auto stride = AsStride(positions, false)) {
    return stride->insert(stride->find(" from"), " " + name);
  }
  const auto period = AsAnyPeriod(positions);
  return period ? std::optional(plural + *period) : std::nullopt;
}

// The wrong elements by their places in a grid.
class Grid {
 public:
  Grid(const Positions& wrong, const Extents& extents) : wrong_(wrong), extents_(extents) {
    for (const std::size_t extent : extents) counts_.emplace_back(extent, 0);
    for (std::size_t index : wrong.list()) {
      for (std::size_t axis = extents.size(); axis-- > 0; index /= extents[axis]) {
        ++counts_[axis][index % extents[axis]];
      }
    }
  }

  // "columns 16 to 31 of rows 8 to 15": all elements that lie in certain rows and certain columns.
  std::optional<std::string> AsProduct() const {
    std::size_t product = 1;
    std::string text;
    for (std::size_t axis = extents_.size(); axis-- > 0;) {
      const Indices numbers = Numbers(axis, 1);
      product *= numbers.size();
      if (numbers.size() == extents_[axis]) continue;
      const auto said = Along(NameOf(axis), numbers, extents_[axis]);
      if (!said) return std::nullopt;
      text += (text.empty() ? "" : " of ") + *said;
    }
    if (product != wrong_.count() || text.empty()) return std::nullopt;
    return text + Shape();
  }

  // "rows 0 and 47 or columns 0 and 63": all elements that lie in certain rows or certain columns,
  // or all of these that lie inside the border.
  // With `is_loose` a tenth of them may be right.
  std::optional<std::string> AsUnion(bool is_loose) const {
    const bool is_inside = LiesInside();
    const std::size_t border = is_inside ? 2 : 0;
    std::size_t volume = 1, others = 1;
    for (const std::size_t extent : extents_) volume *= extent - border;
    std::string text;
    std::vector<Indices> among;
    for (std::size_t axis = 0; axis < extents_.size(); ++axis) {
      const std::size_t extent = extents_[axis] - border, whole = volume / extent;
      among.push_back(Numbers(axis, is_loose ? whole - whole / 4 : whole));
      others *= extent - among.back().size();
      if (among.back().empty()) continue;
      const auto said = Along(NameOf(axis), among.back(), extents_[axis]);
      if (!said) return std::nullopt;
      text += (text.empty() ? "" : " or ") + *said;
    }
    const std::size_t places = volume - others;
    if (places < wrong_.count() || (places - wrong_.count()) * 10 > (is_loose ? places : 0) ||
        !AllLieIn(among)) {
      return std::nullopt;
    }
    return text + (is_inside ? " inside the border" : "") + Shape() +
           ButFor(places - wrong_.count());
  }

 private:
  const char* NameOf(std::size_t axis) const { return kNames[axis + 3 - extents_.size()]; }

  // Whether each wrong element lies in one of the named rows, columns or slices.
  bool AllLieIn(const std::vector<Indices>& among) const {
    return std::ranges::all_of(wrong_.list(), [&](std::size_t index) {
      bool found = false;
      for (std::size_t axis = extents_.size(); axis-- > 0; index /= extents_[axis]) {
        found |= std::ranges::binary_search(among[axis], index % extents_[axis]);
      }
      return found;
    });
  }

  // Whether no element on the border is wrong.
  bool LiesInside() const {
    for (std::size_t axis = 0; axis < extents_.size(); ++axis) {
      if (extents_[axis] < 3 || counts_[axis].front() > 0 || counts_[axis].back() > 0) return false;
    }
    return true;
  }

  // Of the rows, say, those with at least so many wrong elements.
  Indices Numbers(std::size_t axis, std::size_t least) const {
    Indices found;
    for (std::size_t i = 0; i < extents_[axis]; ++i) {
      if (counts_[axis][i] >= least) found.push_back(i);
    }
    return found;
  }

  // "in 48 rows of 64".
  std::string Shape() const {
    std::string text = " in ";
    for (std::size_t axis = 0; axis + 1 < extents_.size(); ++axis) {
      text += Text(extents_[axis]) + " " + NameOf(axis) + "s of ";
    }
    return text + Text(extents_.back());
  }

  const Positions& wrong_;
  const Extents& extents_;
  std::vector<Indices> counts_;
};

std::optional<std::string> AsGrid(const Positions& wrong, std::span<const Extents> shapes,
                                  bool is_loose) {
  if (wrong.count() < (is_loose ? kFewLoose : kFewestPeriods)) return std::nullopt;
  // Rows and columns may stand in either order: the array's own one has the phrase of fewer words
  // and numbers, or is the one that comes first.
  std::optional<std::string> shortest;
  for (const Extents& extents : shapes) {
    const Grid grid(wrong, extents);
    std::optional<std::string> found = is_loose ? std::nullopt : grid.AsProduct();
    if (!found) found = grid.AsUnion(is_loose);
    if (found && (!shortest || Words(*found) < Words(*shortest))) shortest = std::move(found);
  }
  return shortest;
}

}  // namespace

std::string DescribeErrors(std::span<const std::size_t> wrong, std::size_t size,
                           std::span<const Extents> shapes) {
  if (wrong.size() == size) return "all";
  if (wrong.size() == 1) return Text(wrong.front());
  const Positions positions(wrong, size);
  if (auto found = AsGrid(positions, shapes, false)) return *found;
  if (auto found = AsRange(positions, false)) return *found;
  if (auto found = AsStride(positions, false)) return *found;
  if (auto found = AsAnyPeriod(positions)) return *found;
  if (auto found = AsGrid(positions, shapes, true)) return *found;
  if (auto found = AsRange(positions, true)) return *found;
  if (auto found = AsStride(positions, true)) return *found;
  if (auto found = List(RunsOf(wrong))) return *found;
  return "between " + Text(positions.first()) + " and " + Text(positions.last());
}

}  // namespace lab
