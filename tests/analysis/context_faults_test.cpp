// SPDX-License-Identifier: Apache-2.0
// Operators that are right alone and wrong in the graph, on boards whose buffers were mixed up.
#include <gtest/gtest.h>

#include <algorithm>
#include <bittwin/analysis/dump_comparison.hpp>
#include <bittwin/analysis/dump_writer.hpp>
#include <bittwin/targets/tflite_reference.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "support/model_maker.hpp"
#include "support/temporary_folder.hpp"

namespace {

using namespace bittwin;
using namespace bittwin::analysis;
using graph::operator_code;

/// By tensor, sample by sample.
using samples = std::map<std::int32_t, std::vector<std::vector<int>>>;

/// x -> a = min(x, 60) -> b = max(a, -50) -> y = min(b, 40)
class context : public testing::Test {
 protected:
  static constexpr int elements = 192, count = 3;
  const shape extents_{1, 8, 8, 3};

  void SetUp() override {
    test::model_maker m;
    const auto bound = [&](int code) {
      return m.codes_of({1}, element_type::int8, {code}, {0.1F}, 0, 0);
    };
    x_ = m.codes(extents_);
    const std::int32_t bounds[] = {bound(60), bound(-50), bound(40)};
    a_ = m.codes(extents_), b_ = m.codes(extents_), y_ = m.codes(extents_);
    m.apply(operator_code::minimum, {x_, bounds[0]}, {a_}).version = 2;
    m.apply(operator_code::maximum, {a_, bounds[1]}, {b_}).version = 2;
    m.apply(operator_code::minimum, {b_, bounds[2]}, {y_}).version = 2;
    model_ = m.finish({x_}, {y_});
    std::mt19937 random(5);
    for (int s = 0; s < count; ++s) {
      std::vector<int> x;
      for (int i = 0; i < elements; ++i)
        x.push_back(std::uniform_int_distribution<>(-128, 127)(random));
      right_[x_].push_back(x);
      right_[a_].push_back(low(x, 60));
      right_[b_].push_back(high(low(x, 60), -50));
      right_[y_].push_back(low(high(low(x, 60), -50), 40));
    }
  }
  static std::vector<int> low(std::vector<int> v, int bound) {
    for (int& code : v) code = std::min(code, bound);
    return v;
  }
  static std::vector<int> high(std::vector<int> v, int bound) {
    for (int& code : v) code = std::max(code, bound);
    return v;
  }
  static std::vector<int> noise(unsigned seed) {
    std::mt19937 random(seed);
    std::vector<int> v;
    for (int i = 0; i < elements; ++i)
      v.push_back(std::uniform_int_distribution<>(-128, 127)(random));
    return v;
  }

  dump write(const std::string& name, const samples& all) {
    for (std::size_t s = 0; s < count; ++s) {
      auto w =
          dump_writer::create(folder_.path() / name / ("s000" + std::to_string(s)), model_, "", "");
      EXPECT_TRUE(w.has_value());
      for (const auto& [index, codes] : all) {
        array a{element_type::int8, extents_, {}};
        for (const int code : codes[s]) a.data.push_back(static_cast<std::byte>(code & 0xFF));
        EXPECT_TRUE(w->add(index, a));
      }
      EXPECT_TRUE(w->finish());
    }
    return *dump::open(folder_.path() / name);
  }
  /// Verdicts of a, b and y.
  std::vector<verdict> verdicts(const samples& test) {
    const dump r = write("ref", right_), t = write("test", test);
    const comparison_settings settings{&model_, &graph::rules_of<targets::tflite_reference>()};
    const auto c = compare_dumps(r, t, settings);
    EXPECT_TRUE(c.has_value()) << c.error().text;
    std::vector<verdict> found;
    text_.clear();
    for (const segment& s : c->segments) {
      found.push_back(s.verdict);
      for (const finding& f : s.signature) text_ += f.code + ": " + f.text + "\n";
    }
    std::filesystem::remove_all(folder_.path() / "ref");
    std::filesystem::remove_all(folder_.path() / "test");
    return found;
  }
  using list = std::vector<verdict>;

  graph::model model_;
  std::int32_t x_ = 0, a_ = 0, b_ = 0, y_ = 0;
  samples right_;
  std::string text_;
  test::temporary_folder folder_;
};

TEST_F(context, a_healthy_board_has_none) {
  EXPECT_EQ(verdicts(right_), (list{verdict::exact, verdict::exact, verdict::exact}));
}

TEST_F(context, a_buffer_overwritten_after_it_was_read) {
  samples t = right_;
  for (std::size_t s = 0; s < count; ++s) t[a_][s] = noise(static_cast<unsigned>(s) + 70);
  EXPECT_EQ(verdicts(t), (list{verdict::context, verdict::exact, verdict::exact}));
  EXPECT_NE(text_.find("overwritten before it was recorded"), std::string::npos) << text_;
}

TEST_F(context, another_buffer_read) {
  samples t = right_;
  for (std::size_t s = 0; s < count; ++s) {
    t[y_][s] = low(right_[x_][s], 40);  // of x instead of b
  }
  EXPECT_EQ(verdicts(t), (list{verdict::exact, verdict::exact, verdict::context}));
  EXPECT_NE(text_.find("in the place of"), std::string::npos) << text_;
}

TEST_F(context, a_buffer_read_before_it_was_written) {
  samples t = right_;
  for (std::size_t s = count - 1; s > 0; --s) t[y_][s] = right_[y_][s - 1];
  t[y_][0] = noise(9);
  EXPECT_EQ(verdicts(t)[2], verdict::context);
  EXPECT_NE(text_.find("of the sample before"), std::string::npos) << text_;
}

TEST_F(context, two_tensors_in_the_same_memory) {
  samples t = right_;
  for (std::size_t s = 0; s < count; ++s)
    std::copy(right_[x_][s].begin() + 20, right_[x_][s].begin() + 90, t[y_][s].begin() + 100);
  EXPECT_EQ(verdicts(t), (list{verdict::exact, verdict::exact, verdict::context}));
  EXPECT_NE(text_.find("the two share memory"), std::string::npos) << text_;
}

TEST_F(context, noise_is_nobodys_buffer) {
  samples t = right_;
  for (std::size_t s = 0; s < count; ++s) {
    t[a_][s] = noise(static_cast<unsigned>(s) + 30);
    t[b_][s] = high(t[a_][s], -50);
    t[y_][s] = low(t[b_][s], 40);
  }
  EXPECT_EQ(verdicts(t), (list{verdict::undetermined, verdict::inherited, verdict::inherited}));
}

}  // namespace
