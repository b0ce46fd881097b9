// SPDX-License-Identifier: Apache-2.0
// The README's table of targets is what the code says: rooms, confidence, formula. On a difference the right table is
// printed, to be pasted between the two comments that mark it.
#include <gtest/gtest.h>

#include <bittwin/graph/any_target.hpp>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#ifndef BITTWIN_SOURCE
#define BITTWIN_SOURCE "."
#endif

namespace {

using namespace bittwin;

/// "42 published_code, 3 unknown", best first.
std::string confidence_of(const target_description& d) {
  std::map<confidence, int> axes;
  for (const room_description& r : d.rooms)
    for (const axis_description& a : r.axes) ++axes[a.level];
  std::string text;
  for (const auto& [level, count] : axes)
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + std::string(name_of(level));
  return text.empty() ? "nothing is rounded" : text;
}

std::string escaped(const std::string& text) {
  std::string all;
  for (const char letter : text) all += letter == '|' ? std::string("\\|") : std::string(1, letter);
  return all;
}

std::string table() {
  std::string text =
      "| target | version | rooms | axes by confidence | from an accumulator to a code |\n"
      "|---|---|---|---|---|\n";
  for (const target_description& d : graph::shipped_descriptions()) {
    std::size_t open = 0;
    for (const room_description& r : d.rooms) open += is_open(r);
    text += "| `" + d.name + "` | " + d.version + " | " + std::to_string(d.rooms.size() - open) +
            (open > 0 ? ", " + std::to_string(open) + " open" : "") + " | " + confidence_of(d) +
            " | " + (d.formula.empty() ? "" : "`" + escaped(d.formula) + "`") + " |\n";
  }
  text +=
      "\nTemplates, whose unknown axes are listed and which run with `--assume BASE` alone:\n\n"
      "| template | version | axes by confidence | to measure |\n|---|---|---|---|\n";
  for (const target_description& d : graph::template_descriptions())
    text += "| `" + d.name + "` | " + d.version + " | " + confidence_of(d) + " | " +
            escaped(d.to_measure) + " |\n";
  return text;
}

TEST(readme, holds_the_table_of_targets_that_the_code_makes) {
  std::ifstream file(std::string(BITTWIN_SOURCE) + "/README.md");
  const std::string readme{std::istreambuf_iterator<char>(file), {}};
  const std::string first = "<!-- targets -->\n", last = "<!-- end of targets -->";
  const std::size_t begin = readme.find(first), end = readme.find(last);
  ASSERT_NE(begin, readme.npos);
  ASSERT_NE(end, readme.npos);
  const std::string written = readme.substr(begin + first.size(), end - begin - first.size());
  EXPECT_TRUE(written == table()) << "the table is another; this is the right one:";
  if (HasFailure()) std::printf("%s", table().c_str());
}

}  // namespace
