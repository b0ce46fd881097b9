// SPDX-License-Identifier: Apache-2.0
// The .tflite writer: what it writes is read back as the same model, is laid out as the format
// says, and runs to the same integers.
#include <flatbuffers/flatbuffers.h>
#include <gtest/gtest.h>
#include <bittwin/graph/operator_arity.hpp>
#include <bittwin/graph/write_tflite.hpp>

#include <bittwin/graph/read_tflite.hpp>
#include <cstdint>
#include <cstring>
#include <set>
#include <string>

#include "support/operator_models.hpp"
#include "support/random_options.hpp"
#include "support/same_model.hpp"
#include "support/shared_folder.hpp"
#include "support/temporary_folder.hpp"
#include "support/tflite_builder.hpp"

namespace {

using namespace bittwin;
using namespace bittwin::graph;
using bittwin::test::difference_of;
using bittwin::test::operator_models;

std::vector<std::byte> written(const model& m) {
  result<std::vector<std::byte>> bytes = write_tflite(m);
  EXPECT_TRUE(bytes) << bytes.error().text;
  return bytes ? std::move(*bytes) : std::vector<std::byte>{};
}

/// Empty where writing and reading gives the model back.
std::string lost_in_writing(const model& m) {
  const result<model> again = read_tflite(test::shared_bytes(written(m)), m.name);
  return again ? difference_of(m, *again) : again.error().text;
}

TEST(tflite_writer, gives_back_a_model_of_every_operator) {
  std::set<operator_code> seen;
  for (const model& m : operator_models()) {
    EXPECT_EQ(lost_in_writing(m), "") << m.name;
    seen.insert(m.operations.back().code);
  }
  EXPECT_TRUE(seen.contains(operator_code::custom));
  for (std::int32_t code = 0; code < static_cast<std::int32_t>(operator_names.size()); ++code)
    EXPECT_EQ(seen.contains(operator_code{code}),
              arity_of(operator_code{code}) || operator_code{code} == operator_code::custom)
        << operator_name(code);
}

TEST(tflite_writer, gives_back_all_legal_options) {
  std::size_t alternatives = 0;
  for (std::uint32_t seed = 1; seed <= 50; ++seed) {
    test::random_options random(seed);
    for (model m : operator_models()) {
      operation& op = m.operations.back();
      op.options = random.of(op);
      op.version = static_cast<std::int32_t>(seed);
      // Counts of tensors must agree with the tensors.
      if (auto* const split = std::get_if<split_options>(&op.options)) split->count = 2;
      if (auto* const pack = std::get_if<pack_options>(&op.options)) pack->count = 2;
      if (auto* const unpack = std::get_if<unpack_options>(&op.options)) unpack->count = 2;
      EXPECT_EQ(lost_in_writing(m), "") << m.name << ", seed " << seed;
      alternatives |= std::size_t{1} << op.options.index();
    }
  }
  // Every alternative, that of no options included.
  EXPECT_EQ(alternatives, (std::size_t{1} << std::variant_size_v<any_operator_options>)-1);
}

TEST(tflite_writer, gives_back_every_shared_model) {
  const std::filesystem::path folder = test::shared_folder();
  if (folder.empty()) GTEST_SKIP() << "BITTWIN_SHARED names no folder of models";
  std::size_t models = 0;
  for (const char* const name : {"models", "models-float", "golden-ops/models"})
    for (const auto& path : test::files_of(folder / name, ".tflite")) {
      const result<model> m = read_tflite_file(path);
      ASSERT_TRUE(m) << m.error().text;
      EXPECT_EQ(lost_in_writing(*m), "") << path;
      // The writer leaves out what the model does not hold, and adds nothing of its size.
      EXPECT_LE(written(*m).size(), m->storage->size() + m->storage->size() / 8 + 1024) << path;
      ++models;
    }
  EXPECT_GE(models, 19u + 3u + 180u);
}

TEST(tflite_writer, writes_the_same_bytes_again) {
  for (const model& m : operator_models()) {
    const std::vector<std::byte> first = written(m);
    const result<model> again = read_tflite(test::shared_bytes(first), m.name);
    ASSERT_TRUE(again);
    EXPECT_EQ(written(*again), first) << m.name;
  }
}

/// Fields by their numbers in schema.fbs, read with nothing of ours.
using tables = flatbuffers::Vector<flatbuffers::Offset<flatbuffers::Table>>;
const tables* children(const flatbuffers::Table* t, int slot) {
  return t->GetPointer<const tables*>(static_cast<flatbuffers::voffset_t>(4 + 2 * slot));
}
const flatbuffers::Vector<std::uint8_t>* data(const flatbuffers::Table* t, int slot) {
  return t->GetPointer<const flatbuffers::Vector<std::uint8_t>*>(
      static_cast<flatbuffers::voffset_t>(4 + 2 * slot));
}
template <class T> T number(const flatbuffers::Table* t, int slot, T fallback) {
  return t->GetField<T>(static_cast<flatbuffers::voffset_t>(4 + 2 * slot), fallback);
}

model two_codes_three_operators() {
  test::model_maker m;
  const std::int32_t x = m.codes({1, 2}), y = m.codes({1, 2}), z = m.codes({1, 2}),
                     w = m.codes({1, 2});
  m.apply(operator_code::abs, {x}, {y}).version = 1;
  m.apply(operator_code::neg, {y}, {z}).version = 2;
  m.apply(operator_code::abs, {z}, {w}).version = 1;
  return m.finish({x}, {w});
}

TEST(tflite_writer, lays_files_out_as_runtimes_expect) {
  const std::vector<std::byte> bytes = written(test::operator_model(operator_code::conv_2d));
  ASSERT_EQ(std::memcmp(bytes.data() + 4, "TFL3", 4), 0);
  const auto* const root = flatbuffers::GetRoot<flatbuffers::Table>(bytes.data());
  EXPECT_EQ(number<std::uint32_t>(root, 0, 0), 3u);  // Model.version
  const auto* const buffers = children(root, 4);     // Model.buffers
  ASSERT_EQ(buffers->size(), 3u) << "none, weights, bias";
  EXPECT_EQ(data(buffers->Get(0), 0), nullptr);
  for (const flatbuffers::uoffset_t i : {1U, 2U}) {
    const auto* const first = reinterpret_cast<const std::byte*>(data(buffers->Get(i), 0)->data());
    EXPECT_EQ((first - bytes.data()) % 16, 0);
  }
}

TEST(tflite_writer, lists_each_operator_code_once) {
  const std::vector<std::byte> bytes = written(two_codes_three_operators());
  const auto* const codes = children(flatbuffers::GetRoot<flatbuffers::Table>(bytes.data()), 1);
  ASSERT_EQ(codes->size(), 2u);
  EXPECT_EQ(number<std::int8_t>(codes->Get(0), 0, 0), 101);  // ABS, in the old byte
  EXPECT_EQ(number<std::int32_t>(codes->Get(0), 3, 0), 101);
  EXPECT_EQ(number<std::int32_t>(codes->Get(1), 3, 0), 59);  // NEG
  EXPECT_EQ(number<std::int32_t>(codes->Get(1), 2, 1), 2);
  const std::vector<std::byte> custom = written(test::operator_model(operator_code::custom));
  const auto* const one = children(flatbuffers::GetRoot<flatbuffers::Table>(custom.data()), 1);
  EXPECT_EQ(number<std::int8_t>(one->Get(0), 0, 0), 32);
}

TEST(tflite_writer, tensors_that_share_bytes_share_a_buffer) {
  model m = two_codes_three_operators();
  const std::vector<std::byte> bytes(2, std::byte{7});
  for (int i = 0; i < 3; ++i) {
    tensor t = m.tensors[0];
    t.constant = bytes;
    m.tensors.push_back(t);
  }
  const std::vector<std::byte> file = written(m);
  EXPECT_EQ(children(flatbuffers::GetRoot<flatbuffers::Table>(file.data()), 4)->size(), 2u);
  EXPECT_EQ(lost_in_writing(m), "");
}

TEST(tflite_writer, keeps_the_options_of_unknown_custom_operators) {
  model m = two_codes_three_operators();
  const std::vector<std::byte> options{std::byte{1}, std::byte{2}, std::byte{3}};
  operation& op = m.operations[1];
  op.code = operator_code::custom;
  op.custom_name = "Foo";
  op.label = "custom Foo";
  op.custom_options = options;
  EXPECT_EQ(lost_in_writing(m), "");
}

TEST(tflite_writer, refuses_what_it_does_not_know) {
  model m = two_codes_three_operators();
  m.name = "m.tflite";
  m.operations[1].code = static_cast<operator_code>(150);
  m.operations[1].label = "GELU";
  const auto refused = write_tflite(m);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().text.find("m.tflite: operator 1 GELU has options"), std::string::npos);
  m = two_codes_three_operators();
  m.operations[0].options = pool_2d_options{};
  EXPECT_NE(write_tflite(m).error().text.find("options of another operator"), std::string::npos);
}

TEST(tflite_writer, a_file_appears_when_it_is_complete) {
  const test::temporary_folder folder;
  const model m = test::operator_model(operator_code::svdf);
  ASSERT_TRUE(write_tflite_file(folder.path() / "m.tflite", m));
  const result<model> again = read_tflite_file(folder.path() / "m.tflite");
  ASSERT_TRUE(again) << again.error().text;
  EXPECT_EQ(difference_of(m, *again), "");
  EXPECT_FALSE(write_tflite_file(folder.path() / "no" / "m.tflite", m));
}

}  // namespace
