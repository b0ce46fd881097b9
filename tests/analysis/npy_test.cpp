// SPDX-License-Identifier: Apache-2.0
// .npy files: what NumPy writes is read and written byte for byte, everything else is refused in
// words.
#include <gtest/gtest.h>

#include <bittwin/analysis/npy.hpp>
#include <cstring>
#include <random>
#include <string>

namespace {

using namespace bittwin;
using namespace bittwin::analysis;

std::vector<std::byte> bytes_of_text(const std::string& text) {
  std::vector<std::byte> bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

/// A file of version 1 around any header.
std::vector<std::byte> file(const std::string& header, std::size_t data) {
  std::string text = "\x93NUMPY";
  text += {'\x01', '\x00', static_cast<char>(header.size() & 0xFF),
           static_cast<char>(header.size() >> 8)};
  return bytes_of_text(text + header + std::string(data, '\x05'));
}

std::string refusal(const std::string& header, std::size_t data) {
  const result<array> a = read_npy(file(header, data), "x.npy");
  return a ? "(accepted)" : a.error().text;
}

testing::AssertionResult refused(const std::string& header, std::size_t data,
                                 const std::string& because) {
  const std::string text = refusal(header, data);
  if (text.find(because) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << text;
}

TEST(npy, the_bytes_are_those_of_numpy_save) {
  // numpy.save of numpy.arange(3, dtype='<i2').reshape(1, 3), NumPy 1.24.
  std::string known = "\x93NUMPY";
  known += {'\x01', '\x00', 'v', '\x00'};
  known += "{'descr': '<i2', 'fortran_order': False, 'shape': (1, 3), }";
  known += std::string(127 - known.size(), ' ') + "\n";
  known += {'\x00', '\x00', '\x01', '\x00', '\x02', '\x00'};
  const std::vector<std::int16_t> values{0, 1, 2};
  EXPECT_EQ(npy_bytes({element_type::int16, shape{1, 3}, std::as_bytes(std::span(values))}),
            bytes_of_text(known));
}

TEST(npy, what_is_written_is_read_back) {
  for (const element_type type :
       {element_type::float32, element_type::float64, element_type::float16, element_type::int8,
        element_type::uint8, element_type::int16, element_type::int32, element_type::int64,
        element_type::boolean}) {
    for (const shape& extents : {shape{}, shape{0}, shape{5}, shape{2, 1, 3}, shape{1, 0, 4}}) {
      array a{type, extents, {}};
      a.data.resize(static_cast<std::size_t>(extents.elements() * bytes_of(type)), std::byte{1});
      const result<array> back = read_npy(npy_bytes(a), "x.npy");
      ASSERT_TRUE(back) << back.error().text;
      EXPECT_EQ(back->type, type);
      EXPECT_EQ(back->extents, extents);
      EXPECT_EQ(back->data, a.data);
    }
  }
}

TEST(npy, keys_come_in_any_order_and_spacing) {
  EXPECT_EQ(refusal("{ \"shape\":(2,),'fortran_order':False , 'descr':'<i1'}   \n", 2),
            "(accepted)");
}

TEST(npy, version_2_has_a_longer_length) {
  const std::string header = "{'descr': '|u1', 'fortran_order': False, 'shape': (), }";
  std::string text = "\x93NUMPY";
  text += {'\x02', '\x00', static_cast<char>(header.size()), '\x00', '\x00', '\x00'};
  const result<array> a = read_npy(bytes_of_text(text + header + "\x07"), "x.npy");
  ASSERT_TRUE(a) << a.error().text;
  EXPECT_EQ(a->data[0], std::byte{7});
}

TEST(npy, other_orders_types_and_sizes_are_refused_with_a_remedy) {
  const std::string tail = ", 'fortran_order': False, 'shape': (2,), }";
  EXPECT_TRUE(refused("{'descr': '>i4'" + tail, 8, "big-endian"));
  EXPECT_TRUE(refused("{'descr': '<u4'" + tail, 8, "has the type '<u4'"));
  EXPECT_TRUE(refused("{'descr': '|O'" + tail, 8, "has the type '|O'"));
  EXPECT_TRUE(refused("{'descr': [('a', '<i4')]" + tail, 8, "header"));
  EXPECT_TRUE(refused("{'descr': '<i4'" + tail, 7, "has 7 bytes of data, but [2] int32 takes 8"));
  EXPECT_TRUE(refused("{'descr': '<i4'" + tail, 9, "has 9 bytes"));
  EXPECT_TRUE(refused("{'descr': '<i4', 'fortran_order': True, 'shape': (2, 2), }", 16, "Fortran"));
}

TEST(npy, headers_that_are_not_the_one_legal_form_are_refused) {
  const std::string good = "{'descr': '|i1', 'fortran_order': False, 'shape': (2, 1), }";
  ASSERT_EQ(refusal(good, 2), "(accepted)");
  for (const char* header :
       {"", "{", "{}", "{'descr': '|i1', 'fortran_order': False}",
        "{'descr': '|i1', 'descr': '|i1', 'fortran_order': False, 'shape': (2,), }",
        "{'descr': '|i1', 'fortran_order': False, 'shape': (2,), 'x': 1}",
        "{'descr': '|i1', 'fortran_order': 0, 'shape': (2,), }",
        "{'descr': '|i1', 'fortran_order': False, 'shape': (2), }",
        "{'descr': '|i1', 'fortran_order': False, 'shape': (-2,), }",
        "{'descr': '|i1', 'fortran_order': False, 'shape': (2L,), }",
        "{'descr': '|i1', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,2), }",
        "{'descr': '|i1', 'fortran_order': False, 'shape': (99999999999999999999,), }",
        "{'descr': '|i1', 'fortran_order': False, 'shape': (2,), } junk"})
    EXPECT_TRUE(refused(header, 2, "header")) << header;
  EXPECT_TRUE(
      refused("{'descr': '<f8', 'fortran_order': False, 'shape': (2147483647, 2147483647, "
              "2147483647, 2147483647), }",
              2, "2^31"));
  EXPECT_NE(read_npy({}, "x.npy").error().text.find("an empty file"), std::string::npos);
}

TEST(npy, truncations_and_flipped_bits_are_survived) {
  array a{element_type::int32, shape{2, 3}, std::vector<std::byte>(24)};
  std::vector<std::byte> bytes = npy_bytes(a);
  for (std::size_t length = 0; length < bytes.size(); ++length)
    EXPECT_FALSE(read_npy(std::span(bytes).first(length), "cut.npy"));
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    const std::byte mask{static_cast<unsigned char>(1U << (bit % 8))};
    bytes[bit / 8] ^= mask;
    const result<array> read = read_npy(bytes, "flipped.npy");
    if (read) {
      EXPECT_EQ(read->data.size(), 24u);
    }
    bytes[bit / 8] ^= mask;
  }
}

}  // namespace
