// SPDX-License-Identifier: Apache-2.0
// The .tflite reader: what it reads, what it refuses and with which words, and that nothing breaks
// it.
#include <gtest/gtest.h>

#include <bittwin/graph/constant.hpp>
#include <bittwin/graph/flatbuffer_view.hpp>
#include <bittwin/graph/operator_arity.hpp>
#include <bittwin/graph/read_tflite.hpp>
#include <bittwin/graph/tflite_schema.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>

#include "support/tflite_builder.hpp"

namespace {

using namespace bittwin;
using namespace bittwin::graph;
using bittwin::test::small_convolution;
using bittwin::test::tflite_description;

result<model> read(const tflite_description& from) {
  return read_tflite(test::shared_bytes(test::tflite_builder::build(from)), "small.tflite");
}

/// The sentence that refuses the model; it has the parts an error must have.
std::string refusal(const tflite_description& from) {
  const result<model> m = read(from);
  if (m) return "(accepted)";
  EXPECT_TRUE(m.error().text.starts_with("small.tflite: ")) << m.error().text;
  EXPECT_FALSE(m.error().text.ends_with(".")) << m.error().text;
  return m.error().text;
}

testing::AssertionResult refused(const tflite_description& from, const std::string& because) {
  const std::string text = refusal(from);
  if (text.find(because) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "the sentence is: " << text;
}

TEST(tflite_reader, reads_tensors_operators_and_options) {
  const result<model> m = read(small_convolution());
  ASSERT_TRUE(m) << m.error().text;
  ASSERT_EQ(m->tensors.size(), 5u);
  EXPECT_EQ(m->description, "made by a test");
  EXPECT_EQ(m->inputs, std::vector<std::int32_t>{0});
  EXPECT_EQ(m->outputs, std::vector<std::int32_t>{4});
  EXPECT_EQ(m->tensors[0].name, "input");
  EXPECT_EQ(m->tensors[0].extents, (shape{1, 4, 4, 2}));
  EXPECT_EQ(m->tensors[0].quantization, (quantization{{0.5F}, {-3}, 0}));
  EXPECT_FALSE(m->tensors[0].is_constant());
  EXPECT_EQ(m->tensors[1].constant.size(), 6u);
  EXPECT_EQ(m->tensors[1].constant[5], std::byte{255});
  EXPECT_EQ(m->tensors[1].quantization, (quantization{{0.25F, 0.5F, 1.0F}, {0, 0, 0}, 0}));
  EXPECT_EQ(m->tensors[2].type, element_type::int32);
  ASSERT_EQ(m->operations.size(), 2u);
  EXPECT_EQ(m->operations[0].code, operator_code::conv_2d);
  EXPECT_EQ(m->operations[0].label, "CONV_2D");
  EXPECT_EQ(m->operations[0].version, 5);
  const auto& options = std::get<conv_2d_options>(m->operations[0].options);
  EXPECT_EQ(options.padding, padding_kind::valid);
  EXPECT_EQ(options.stride_h, 2);
  EXPECT_EQ(options.fused, activation::relu6);
  EXPECT_EQ(m->sha256.size(), 64u);
}

TEST(tflite_reader, the_code_is_the_larger_of_the_old_byte_and_the_new_number) {
  tflite_description from = small_convolution();
  from.codes[1] = {.deprecated = 127, .builtin = 150};
  EXPECT_EQ(read(from)->operations[1].label, "GELU");
  from.codes[1] = {.deprecated = 19, .builtin = 0};
  EXPECT_EQ(read(from)->operations[1].code, operator_code::relu);
}

TEST(tflite_reader, operators_that_nothing_executes_are_kept_with_their_names) {
  tflite_description from = small_convolution();
  from.codes[1] = {.deprecated = 32, .builtin = 32, .version = 1, .custom = "Foo"};
  EXPECT_EQ(read(from)->operations[1].label, "custom Foo");
  EXPECT_EQ(read(from)->operations[1].custom_name, "Foo");
  from.codes[1] = {.deprecated = 127, .builtin = 999};
  EXPECT_EQ(read(from)->operations[1].label, "operator 999");
}

TEST(tflite_reader, constants_behind_the_flatbuffer_are_read_and_must_end_inside_the_file) {
  tflite_description from = small_convolution();
  const auto set = [&](std::uint64_t at, std::uint64_t size) {
    from.buffers[1] = {.offset = at, .size = size};
  };
  from.behind_file = {9, 8, 7, 6, 5, 4};
  set(2, 6);  // the length does not depend on the numbers, so a first build tells the offset
  const std::uint64_t end = test::tflite_builder::build(from).size();
  set(end - 6, 6);
  const result<model> m = read(from);
  ASSERT_TRUE(m) << m.error().text;
  EXPECT_EQ(m->tensors[1].constant[0], std::byte{9});
  set(1, 6);  // stands for "not there"
  EXPECT_TRUE(refused(from, "reads tensor 1 'weights', which nothing has produced"));
  set(end - 5, 6);
  EXPECT_TRUE(refused(from, "past the end of the file"));
  set(std::numeric_limits<std::uint64_t>::max() - 2, 6);
  EXPECT_TRUE(refused(from, "past the end of the file"));
}

TEST(tflite_reader, a_tensor_of_no_elements_needs_no_data_and_no_producer) {
  tflite_description from = small_convolution();
  from.tensors[2].shape = {0};
  from.tensors[2].scales = {};
  from.tensors[2].buffer = 0;
  EXPECT_TRUE(read(from));
  from.tensors[2].shape = {3};
  EXPECT_TRUE(
      refused(from, "operator 0 CONV_2D reads tensor 2 'bias', which nothing has produced"));
}

TEST(tflite_reader, foreign_files_are_told_what_they_seem_to_be) {
  const auto text = [](const std::string& content) {
    std::vector<std::byte> bytes;
    for (const char c : content) bytes.push_back(static_cast<std::byte>(c));
    return read_tflite(test::shared_bytes(bytes), "x").error().text;
  };
  EXPECT_NE(text("").find("an empty file"), std::string::npos);
  EXPECT_NE(text("PK\x03\x04zipzip").find("a zip archive"), std::string::npos);
  EXPECT_NE(text("\x08\x07\x12\x07pytorch").find("an ONNX model"), std::string::npos);
  EXPECT_NE(text("version https://git-lfs.github.com/spec/v1").find("Git LFS"), std::string::npos);
  EXPECT_NE(text("<!DOCTYPE html>").find("a web page"), std::string::npos);
  EXPECT_NE(text(std::string("\x1c\0\0\0TFL3", 8)).find("points outside"), std::string::npos);
  EXPECT_NE(text(std::string("\x1c\0\0\0TFL", 7)).find("no TFL3"), std::string::npos);
  EXPECT_NE(text(std::string("\x1c\0\0\0TFL2", 8)).find("schema version 2"), std::string::npos);
  EXPECT_NE(read_tflite_file("/nonexistent/m.tflite").error().text.find("no such file"),
            std::string::npos);
}

TEST(tflite_reader, scales_that_are_not_finite_and_positive_are_refused_by_value) {
  for (const float scale : {0.0F, -0.5F, std::numeric_limits<float>::quiet_NaN(),
                            std::numeric_limits<float>::infinity()}) {
    tflite_description from = small_convolution();
    from.tensors[1].scales[1] = scale;
    EXPECT_TRUE(refused(from, "tensor 1 'weights' has the scale"));
    EXPECT_TRUE(refused(from, "for channel 1"));
  }
  tflite_description tiny = small_convolution();
  tiny.tensors[1].scales[1] = std::numeric_limits<float>::denorm_min();
  EXPECT_TRUE(read(tiny));
}

TEST(tflite_reader, zero_points_lie_inside_the_type) {
  tflite_description from = small_convolution();
  from.tensors[0].zero_points = {128};
  EXPECT_TRUE(refused(from, "tensor 0 'input' has the zero point 128, outside int8 [-128, 127]"));
  from.tensors[0].type = 3;  // UINT8
  EXPECT_TRUE(read(from));
}

TEST(tflite_reader, one_zero_point_or_none_stands_for_all_channels) {
  tflite_description from = small_convolution();
  from.tensors[1].zero_points = {0};
  EXPECT_EQ(read(from)->tensors[1].quantization.zero_points, (std::vector<std::int64_t>{0, 0, 0}));
  from.tensors[1].zero_points = {};
  EXPECT_TRUE(read(from));
  from.tensors[1].zero_points = {0, 0};
  EXPECT_TRUE(refused(from, "3 scales and 2 zero points"));
}

TEST(tflite_reader, channel_arrays_match_the_extent_of_their_axis) {
  tflite_description from = small_convolution();
  from.tensors[1].axis = 3;
  EXPECT_TRUE(refused(from, "3 scales along axis 3 of shape [3,1,1,2], which needs 1 or 2"));
  from.tensors[1].axis = 4;
  EXPECT_TRUE(refused(from, "along axis 4"));
  tflite_description whole = small_convolution();
  whole.tensors[1].scales = {0.5F};
  whole.tensors[1].zero_points = {0};
  whole.tensors[1].axis = 3;
  EXPECT_TRUE(read(whole)) << "one scale stands for every axis";
  whole.tensors[1].axis = 4;
  EXPECT_TRUE(refused(whole, "along axis 4"));
  from.tensors[1].axis = -1;
  EXPECT_TRUE(refused(from, "along axis -1"));
}

TEST(tflite_reader, constant_data_have_exactly_the_length_of_the_shape) {
  tflite_description from = small_convolution();
  from.buffers[1].data.pop_back();
  EXPECT_TRUE(refused(from, "tensor 1 'weights' has 5 bytes of data"));
  EXPECT_TRUE(refused(from, "takes 6"));
  from.buffers[1].data.resize(7);
  EXPECT_TRUE(refused(from, "has 7 bytes"));
}

TEST(tflite_reader, codes_of_4_bits_lie_two_in_a_byte) {
  tflite_description from = small_convolution();
  from.tensors[1].type = 17;  // INT4
  from.tensors[1].shape = {3, 1, 1, 1};
  from.buffers[1].data = {0x87, 0x0F};
  const result<model> m = read(from);
  ASSERT_TRUE(m) << m.error().text;
  // The even element in the low half; 8 to 15 stand for -8 to -1.
  EXPECT_EQ(stored_constant(m->tensors[1]),
            (std::vector<std::byte>{std::byte{7}, std::byte{0xF8}, std::byte{0xFF}}));
  from.buffers[1].data = {0x87};
  EXPECT_TRUE(refused(from, "takes 2"));
}

/// The first bytes of a vector or table that `find` looks up, as a place in the file.
template <class Find> std::size_t place_of(std::vector<std::byte>& bytes, Find find) {
  flatbuffer_view view(bytes);
  return static_cast<std::size_t>(find(view.root()) - bytes.data());
}

std::string refusal_of(std::vector<std::byte> bytes, std::size_t at, std::uint32_t word) {
  std::memcpy(bytes.data() + at, &word, 4);
  const result<model> m = read_tflite(test::shared_bytes(std::move(bytes)), "patched.tflite");
  return m ? "(accepted)" : m.error().text;
}

TEST(tflite_reader, lists_and_tables_end_inside_the_file) {
  namespace s = tflite_schema;
  std::vector<std::byte> bytes = test::tflite_builder::build(small_convolution());
  const auto graph_of = [](const flatbuffer_table& root) {
    return root.tables(s::model_subgraphs)[0];
  };
  EXPECT_NE(refusal_of(bytes, 0, 0).find("file.root"), std::string::npos);
  // A list of more elements than the rest of the file has room for, though it has as many bytes.
  const std::size_t inputs = place_of(bytes, [&](const flatbuffer_table& root) {
    return graph_of(root).list<std::int32_t>(s::subgraph_inputs).bytes().data();
  });
  const auto rest = static_cast<std::uint32_t>(bytes.size() - inputs);
  EXPECT_NE(refusal_of(bytes, inputs - 4, rest / 4 + 1).find("SubGraph.inputs"), std::string::npos);
  EXPECT_NE(refusal_of(bytes, inputs - 4, rest / 2).find("points outside the file"),
            std::string::npos);
  // An entry of a list of tables that leads past the end.
  const std::size_t tensors = place_of(bytes, [&](const flatbuffer_table& root) {
    return graph_of(root).list<std::uint32_t>(s::subgraph_tensors).bytes().data();
  });
  EXPECT_NE(refusal_of(bytes, tensors, 0x7FFFFFF0U).find("SubGraph.tensors"), std::string::npos);
  EXPECT_NE(refusal_of(bytes, tensors, 0x80000010U).find("SubGraph.tensors"), std::string::npos);
  EXPECT_NE(refusal_of(bytes, tensors, 0).find("SubGraph.tensors"), std::string::npos)
      << "to itself";
  // A field whose offset does: the field holds the distance from itself to the list's length.
  for (std::size_t at = 0; at + 4 <= inputs - 4; at += 4) {
    std::uint32_t distance = 0;
    std::memcpy(&distance, bytes.data() + at, 4);
    if (at + distance != inputs - 4) continue;
    const std::string text = refusal_of(bytes, at, 0x7FFFFFF0U);
    EXPECT_NE(text.find("SubGraph.inputs"), std::string::npos) << text;
    EXPECT_NE(text.find("points outside the file"), std::string::npos) << text;
    EXPECT_NE(refusal_of(bytes, at, 0).find("SubGraph.inputs"), std::string::npos) << "to itself";
    return;
  }
  FAIL() << "no field leads to the list";
}

TEST(tflite_reader, shapes_are_fixed_and_bounded) {
  tflite_description from = small_convolution();
  from.tensors[0].shape[0] = -1;
  EXPECT_TRUE(refused(from, "has no fixed extent on axis 0"));
  from.tensors[0].shape[0] = -7;
  EXPECT_TRUE(refused(from, "the extent -7"));
  from.tensors[0].shape = {65536, 32768, 2};
  EXPECT_TRUE(refused(from, "more than 2^31 elements"));
  from.tensors[0].shape = {65536, 32768};
  EXPECT_TRUE(read(from)) << "2^31 are allowed";
  from.tensors[0].shape = {0, 65536, 17};
  EXPECT_TRUE(refused(from, "no elements, and more than 2^20"));
  from.tensors[0].shape = {65536, 16, 0};
  EXPECT_TRUE(read(from));
  from.tensors[0].shape.assign(9, 1);
  EXPECT_TRUE(refused(from, "rank 9"));
  from.tensors[0].shape.assign(8, 1);
  EXPECT_TRUE(read(from));
}

TEST(tflite_reader, indices_are_in_range) {
  tflite_description from = small_convolution();
  from.operators[0].inputs[1] = 5;
  EXPECT_TRUE(refused(from, "operator 0 CONV_2D inputs: tensor index 5 of 5 tensors"));
  from = small_convolution();
  from.operators[0].outputs[0] = -1;
  EXPECT_TRUE(refused(from, "tensor index -1"));
  from = small_convolution();
  from.operators[1].code_index = 2;
  EXPECT_TRUE(refused(from, "operator code index 2 of 2"));
  from = small_convolution();
  from.tensors[1].buffer = 3;
  EXPECT_TRUE(refused(from, "buffer 3 of 3"));
  from = small_convolution();
  from.outputs = {7};
  EXPECT_TRUE(refused(from, "the list of model outputs: tensor index 7"));
}

TEST(tflite_reader, operators_read_what_exists_and_write_what_is_free) {
  tflite_description from = small_convolution();
  std::swap(from.operators[0], from.operators[1]);
  EXPECT_TRUE(refused(from, "operator 0 RELU reads tensor 3 'conv', which nothing has produced"));
  from = small_convolution();
  from.operators[1].outputs = {3};
  EXPECT_TRUE(refused(from, "operator 1 RELU writes tensor 3 'conv'"));
  from.operators[1].outputs = {1};
  EXPECT_TRUE(refused(from, "operator 1 RELU writes tensor 1 'weights'"));
  from = small_convolution();
  from.inputs = {0, 0};
  EXPECT_TRUE(refused(from, "listed twice"));
  from.inputs = {0, 1};
  EXPECT_TRUE(refused(from, "constant data"));
}

TEST(tflite_reader, operators_have_their_operands) {
  tflite_description from = small_convolution();
  from.operators[0].inputs = {0, 1, -1};
  EXPECT_TRUE(read(from)) << "a bias is optional";
  from.operators[0].inputs = {0, -1, 2};
  EXPECT_TRUE(refused(from, "operator 0 CONV_2D lacks its input 1"));
  from.operators[0].inputs = {0};
  EXPECT_TRUE(refused(from, "operator 0 CONV_2D has 1 inputs where 2 belong"));
  from.operators[0].inputs = {0, 1, 2, 2};
  EXPECT_TRUE(refused(from, "operator 0 CONV_2D has 4 inputs where 3 belong"));
  from = small_convolution();
  from.operators[1].outputs = {};
  EXPECT_TRUE(refused(from, "0 outputs"));
}

TEST(tflite_reader, operators_of_any_number_of_inputs_have_all_of_them) {
  operation op;
  op.code = operator_code::concatenation;
  op.inputs = {0, 1, 2};
  op.outputs = {3};
  EXPECT_TRUE(check_arity(op, "operator 0"));
  op.inputs = {0, 1, no_tensor};
  EXPECT_FALSE(check_arity(op, "operator 0"));
  op.inputs = {};
  EXPECT_FALSE(check_arity(op, "operator 0"));
  op.inputs = {0};
  op.outputs = {3, 4};
  EXPECT_FALSE(check_arity(op, "operator 0"));
}

TEST(tflite_reader, options_have_meaning) {
  const auto with = [](std::size_t option, double value) {
    tflite_description from = small_convolution();
    from.operators[0].options[option].value = value;
    return from;
  };
  EXPECT_TRUE(refused(with(0, 2), "operator 0 CONV_2D has the unknown padding 2"));
  EXPECT_TRUE(refused(with(1, 0), "has stride_w 0"));
  EXPECT_TRUE(refused(with(2, -3), "has stride_h -3"));
  EXPECT_TRUE(refused(with(3, 4), "fused activation TANH"));
  EXPECT_TRUE(refused(with(3, 9), "unknown value 9"));
  EXPECT_TRUE(refused(with(4, 0), "has dilation_w_factor 0"));
  tflite_description wrong = small_convolution();
  wrong.operators[0].options_type = 5;
  EXPECT_TRUE(refused(wrong, "options of union type 5 where type 1 belongs"));
  wrong.operators[0].options_type = 0;
  EXPECT_TRUE(refused(wrong, "has no options"));
}

TEST(tflite_reader, what_is_not_supported_is_named) {
  tflite_description from = small_convolution();
  from.tensors[0].type = 5;
  EXPECT_TRUE(refused(from, "tensor 0 'input' has the type STRING"));
  from.tensors[0].type = 99;
  EXPECT_TRUE(refused(from, "has the type 99"));
  from = small_convolution();
  from.tensors[1].external_buffer = 1;
  EXPECT_TRUE(refused(from, "keeps its data in another file"));
  from = small_convolution();
  from.subgraphs = 2;
  EXPECT_TRUE(refused(from, "2 subgraphs with operators"));
  from.subgraphs = 0;
  EXPECT_TRUE(refused(from, "no subgraph"));
  from = small_convolution();
  from.version = 2;
  EXPECT_TRUE(refused(from, "schema version 2"));
  from.version = 4;
  EXPECT_TRUE(refused(from, "schema version 4"));
  from = small_convolution();
  from.operators.clear();
  EXPECT_TRUE(refused(from, "holds no operator"));
}

TEST(tflite_reader, names_that_are_not_printable_do_not_reach_the_terminal) {
  tflite_description from = small_convolution();
  from.tensors[0].name = "a\x1b[31m\n" + std::string(1000, 'x');
  from.tensors[0].scales = {0.0F};
  const std::string text = refusal(from);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find('\n'), std::string::npos);
  EXPECT_LT(text.size(), 300u);
}

TEST(tflite_reader, every_truncation_is_refused_with_a_sentence) {
  const std::vector<std::byte> whole = test::tflite_builder::build(small_convolution());
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const result<model> m = read_tflite(
        test::shared_bytes({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length)}),
        "cut.tflite");
    // Only the tail of the padding can go missing without harm.
    if (m) {
      EXPECT_GT(length + 8, whole.size());
    } else {
      EXPECT_GT(m.error().text.size(), 20u);
    }
  }
}

/// Every reading either succeeds or explains itself; what was read can be walked.
void walk(const result<model>& m) {
  if (!m) {
    EXPECT_GT(m.error().text.size(), 20u);
    return;
  }
  std::size_t sum = 0;
  for (const tensor& t : m->tensors)
    for (const std::byte b : t.constant) sum += std::to_integer<std::size_t>(b);
  for (const operation& op : m->operations)
    for (const std::int32_t i : op.outputs)
      sum += m->tensors.at(static_cast<std::size_t>(i)).name.size();
  EXPECT_GE(sum, 0u);
}

TEST(tflite_reader, every_flipped_bit_is_survived) {
  std::vector<std::byte> bytes = test::tflite_builder::build(small_convolution());
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    const std::byte mask{static_cast<unsigned char>(1U << (bit % 8))};
    bytes[bit / 8] ^= mask;
    walk(read_tflite(test::shared_bytes(bytes), "flipped.tflite"));
    bytes[bit / 8] ^= mask;
  }
}

TEST(tflite_reader, random_words_in_the_tables_are_survived) {
  const std::vector<std::byte> whole = test::tflite_builder::build(small_convolution());
  std::mt19937 random(20240607);  // the seed of this test
  constexpr std::uint32_t words[] = {0,          1,          2,          0x7F, 0xFF,
                                     0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 4,    64};
  int accepted = 0;
  for (int round = 0; round < 20000; ++round) {
    std::vector<std::byte> bytes = whole;
    for (auto k = random() % 3 + 1; k > 0; --k) {
      const std::uint32_t word = words[random() % std::size(words)];
      const std::size_t at = random() % (bytes.size() - 4);
      std::memcpy(bytes.data() + at, &word, random() % 4 + 1);
    }
    const result<model> m = read_tflite(test::shared_bytes(bytes), "random.tflite");
    accepted += m ? 1 : 0;
    walk(m);
  }
  EXPECT_GT(accepted, 100) << "a test in which nothing is accepted tests little";
}

TEST(tflite_reader, tables_that_share_their_parts_cannot_unfold_without_bound) {
  // One tensor table with a long name, listed many times: 4 bytes of file for each copy.
  tflite_description from = small_convolution();
  from.tensors[4].name = std::string(100000, 'n');
  for (int i = 0; i < 2000; ++i) from.tensors.push_back({.name = "t", .shape = {1}});
  std::vector<std::byte> bytes = test::tflite_builder::build(from);
  flatbuffer_view view(bytes);
  namespace s = tflite_schema;
  const flatbuffer_table graph = view.root().tables(s::model_subgraphs)[0];
  const auto list = graph.list<std::uint32_t>(s::subgraph_tensors);
  const std::size_t first = static_cast<std::size_t>(list.bytes().data() - bytes.data());
  const std::size_t target = first + 16 + list[4];
  for (std::size_t i = 5; i < list.size(); ++i) {
    const std::size_t at = first + 4 * i;
    const std::uint32_t offset = static_cast<std::uint32_t>(target - at);
    std::memcpy(bytes.data() + at, &offset, 4);
  }
  const result<model> m = read_tflite(test::shared_bytes(bytes), "shared.tflite");
  ASSERT_FALSE(m);
  EXPECT_NE(m.error().text.find("unfolds"), std::string::npos) << m.error().text;
}

}  // namespace
