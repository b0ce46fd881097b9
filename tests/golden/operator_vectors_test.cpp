// SPDX-License-Identifier: Apache-2.0
// Every operator against vectors from other implementations (tests/golden/operators, one file an operator; producer,
// version and command in its head). Integers: the same bytes. float32: within `ulps` units of float32 at the
// tensor's largest magnitude, since we compute in float64 and round once, and they add in float32 in some order.
#include <gtest/gtest.h>

#include <algorithm>
#include <bittwin/graph/executor.hpp>
#include <bittwin/graph/operator_arity.hpp>
#include <bittwin/graph/operator_names.hpp>
#include <bittwin/graph/read_tflite.hpp>
#include <bittwin/targets/all.hpp>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "support/base64.hpp"

namespace {

using namespace bittwin;
using namespace bittwin::graph;
using bittwin::test::from_base64;
namespace fs = std::filesystem;

constexpr double ulps = 8;

struct expected_tensor {
  std::int32_t tensor = 0;
  std::string targets;  ///< names with commas between
  std::vector<std::byte> bytes;
};
struct vector_case {
  std::string name;
  std::vector<std::byte> model;
  std::vector<std::vector<std::byte>> inputs;
  std::vector<expected_tensor> outputs;
};

std::vector<vector_case> read_cases(const fs::path& path) {
  std::vector<vector_case> cases;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string kind, base64;
    words >> kind;
    if (kind == "model") {
      cases.emplace_back();
      words >> cases.back().name >> base64;
      cases.back().model = from_base64(base64);
    } else if (kind == "input") {
      words >> base64;
      cases.back().inputs.push_back(from_base64(base64));
    } else if (kind == "output") {
      expected_tensor one;
      words >> one.tensor >> one.targets >> base64;
      one.bytes = from_base64(base64);
      cases.back().outputs.push_back(std::move(one));
    }
  }
  return cases;
}

bool names(const std::string& list, std::string_view target) {
  std::istringstream words(list);
  for (std::string word; std::getline(words, word, ',');)
    if (word == target) return true;
  return false;
}

double largest_difference_in_ulps(std::span<const std::byte> ours,
                                  std::span<const std::byte> theirs) {
  double largest = 0, difference = 0;
  for (std::size_t i = 0; i + 4 <= theirs.size(); i += 4) {
    float a = 0, b = 0;
    std::memcpy(&a, ours.data() + i, 4);
    std::memcpy(&b, theirs.data() + i, 4);
    largest = std::max(largest, std::fabs(double{b}));
    difference = std::max(difference, a == b ? 0.0 : std::fabs(double{a} - b));
  }
  if (difference == 0) return 0;
  return difference / std::ldexp(1.0, std::max(std::ilogb(largest) - 23, -149));
}

/// More than nine tenths of a tensor are one value: equal to it or not tells little.
bool tells_something(const expected_tensor& t, element_type type) {
  const auto size = static_cast<std::size_t>(bytes_of(type));
  std::map<std::string_view, std::size_t> counts;
  std::size_t most = 0;
  const std::string_view text(static_cast<const char*>(static_cast<const void*>(t.bytes.data())),
                              t.bytes.size());
  for (std::size_t i = 0; i + size <= text.size(); i += size)
    most = std::max(most, ++counts[text.substr(i, size)]);
  return most * size * 10 <= t.bytes.size() * 9;
}

struct tally {
  int compared = 0, telling = 0, differing = 0;
  double worst_ulps = 0;
};

void compare(const vector_case& one, const target_rules& rules, tally& t) {
  auto m = read_tflite(std::make_shared<std::vector<std::byte>>(one.model), one.name);
  ASSERT_TRUE(m) << m.error().text;
  if (std::none_of(one.outputs.begin(), one.outputs.end(),
                   [&](const expected_tensor& e) { return names(e.targets, rules.name); }))
    return;  // the implementation refuses this model
  auto run = executor::prepare(*m, rules, keep_tensors::all);
  ASSERT_TRUE(run) << run.error().text;
  for (std::size_t i = 0; i < one.inputs.size(); ++i) {
    const auto set = run->set_input(i, one.inputs[i]);
    ASSERT_TRUE(set) << set.error().text;
  }
  run->run();
  for (const expected_tensor& want : one.outputs) {
    if (!names(want.targets, rules.name)) continue;
    const tensor_value have = run->value(want.tensor);
    ASSERT_EQ(have.bytes.size(), want.bytes.size()) << one.name;
    ++t.compared;
    t.telling += tells_something(want, have.type) ? 1 : 0;
    if (have.type == element_type::float32) {
      const double difference = largest_difference_in_ulps(have.bytes, want.bytes);
      t.worst_ulps = std::max(t.worst_ulps, difference);
      EXPECT_LE(difference, ulps) << one.name << ", tensor " << want.tensor << ", " << rules.name;
    } else if (!std::equal(have.bytes.begin(), have.bytes.end(), want.bytes.begin())) {
      ++t.differing;
      ADD_FAILURE() << one.name << ", tensor " << want.tensor << " differs under " << rules.name;
    }
  }
}

class operator_vectors : public testing::TestWithParam<std::string> {};

std::vector<std::string> supported_operators() {
  std::vector<std::string> all{"TFLite_Detection_PostProcess"};
  for (std::size_t i = 0; i < operator_names.size(); ++i)
    if (arity_of(static_cast<operator_code>(i))) all.emplace_back(operator_names[i]);
  return all;
}

TEST_P(operator_vectors, are_met_bit_for_bit) {
  const fs::path path = fs::path(BITTWIN_SOURCE) / "tests/golden/operators" / (GetParam() + ".txt");
  ASSERT_TRUE(fs::exists(path)) << "no vectors for an operator that is supported";
  tally t;
  for (const vector_case& one : read_cases(path))
    for (const target_rules* rules : all_shipped_rules()) compare(one, *rules, t);
  EXPECT_GT(t.telling, 0) << "nothing but constant tensors";
  EXPECT_EQ(t.differing, 0);
  std::printf("%-30s %4d tensors, %4d telling, float32 within %.1f ulp\n", GetParam().c_str(),
              t.compared, t.telling, t.worst_ulps);
}

INSTANTIATE_TEST_SUITE_P(golden, operator_vectors, testing::ValuesIn(supported_operators()),
                         [](const auto& one) { return one.param; });

}  // namespace
