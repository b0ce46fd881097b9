// SPDX-License-Identifier: Apache-2.0
// A refused file costs at most twice its size and 64 MiB, however large the tensors are that it declares.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <bittwin/graph/write_tflite.hpp>

#include <bittwin/graph/file.hpp>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "support/model_maker.hpp"
#include "support/tool_program.hpp"

namespace {

using namespace bittwin;
using code = graph::operator_code;
namespace fs = std::filesystem;

/// Exit code and largest resident size of a program that writes nowhere.
struct cost_of_run {
  int exit = -1;
  long bytes = 0;
};
cost_of_run cost_of(const std::string& program, const std::string& verb, const fs::path& file) {
  const pid_t child = fork();
  if (child == 0) {
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    execl(program.c_str(), program.c_str(), verb.c_str(), file.c_str(), nullptr);
    _exit(127);
  }
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, usage.ru_maxrss * 1024};
}

/// A large operator, and behind it one that every target refuses: CONV_2D on int32.
class large_then_refused {
 public:
  graph::model of(code op, shape in, shape out, graph::operator_options options = {},
                  const std::vector<std::vector<std::int32_t>>& lists = {}) {
    test::model_maker m;
    const std::int32_t x = m.codes(in), y = m.codes(out);
    std::vector<std::int32_t> operands{x};
    for (const auto& list : lists) {
      operands.push_back(m.list(list));
      if (op == code::pad) m.reshape(operands.back(), {4, 2});
    }
    m.apply(op, operands, {y}, std::move(options));
    const std::int32_t number = m.plain(element_type::int32, {1, 1, 1, 2});
    const std::int32_t made = m.plain(element_type::int32, {1, 1, 1, 3});
    m.apply(code::conv_2d, {number, m.weights({3, 1, 1, 2}, 0)}, {made}, graph::conv_2d_options{});
    return m.finish({x, number}, {y, made});
  }
};

class refused_memory : public test::tool_program {
 protected:
  void SetUp() override {
    test::tool_program::SetUp();
#if defined(__SANITIZE_ADDRESS__)
    GTEST_SKIP() << "AddressSanitizer's own memory is larger";
#endif
  }
  void expect_small(graph::model m, const std::string& name) {
    m.name = name;
    const fs::path file = folder_.path() / (name + ".tflite");
    const auto bytes = graph::write_tflite(m);
    ASSERT_TRUE(bytes) << bytes.error().text;
    ASSERT_TRUE(graph::write_file(file, *bytes));
    const cost_of_run cost = cost_of(program_, "run", file);
    EXPECT_EQ(cost.exit, 2) << name << " is not refused";
    EXPECT_LE(cost.bytes, static_cast<long>(2 * bytes->size() + (64U << 20))) << name;
    EXPECT_EQ(cost_of(program_, "info", file).exit, 0) << name;
  }
};

constexpr std::int32_t million = 1 << 20;

TEST_F(refused_memory, is_small_behind_operators_on_large_tensors) {
  large_then_refused make;
  const shape image{1, 8192, 8192, 2};
  expect_small(make.of(code::relu, image, image), "relu");
  expect_small(make.of(code::transpose, image, {1, 2, 8192, 8192}, {}, {{0, 3, 1, 2}}),
               "transpose");
  expect_small(
      make.of(code::reshape, image, {128 * million}, graph::reshape_options{}, {{128 * million}}),
      "reshape");
  expect_small(
      make.of(code::softmax, {64 * million, 2}, {64 * million, 2}, graph::softmax_options{}),
      "softmax");
  expect_small(make.of(code::mean, image, {1, 2}, graph::reduce_options{}, {{1, 2}}), "mean");
  expect_small(make.of(code::pad, image, {1, 8194, 8194, 2}, {}, {{0, 0, 1, 1, 1, 1, 0, 0}}),
               "pad");
  expect_small(make.of(code::resize_nearest_neighbor, {1, 4096, 4096, 2}, image,
                       graph::resize_options{}, {{8192, 8192}}),
               "resize");
  expect_small(
      make.of(code::max_pool_2d, image, {1, 4096, 4096, 2},
              graph::pool_2d_options{.stride_h = 2, .stride_w = 2, .filter_h = 2, .filter_w = 2}),
      "pool");
  expect_small(
      make.of(code::strided_slice, image, {1, 8191, 8192, 2}, graph::strided_slice_options{},
              {{0, 1, 0, 0}, {1, 8192, 8192, 2}, {1, 1, 1, 1}}),
      "slice");
  expect_small(make.of(code::logistic, image, image), "logistic");
}

}  // namespace
