// SPDX-License-Identifier: Apache-2.0
// SHA-256 against the examples of FIPS 180-4, at run time and at compile time.
#include <gtest/gtest.h>

#include <bittwin/graph/sha256.hpp>
#include <string>
#include <vector>

namespace {

using bittwin::graph::sha256;
using bittwin::graph::sha256_hex;

std::string hash(const std::string& text) {
  return sha256_hex(std::as_bytes(std::span(text.data(), text.size())));
}

constexpr auto of_nothing = [] {
  sha256 h;
  return h.finish();
}();
static_assert(of_nothing[0] == 0xE3 && of_nothing[31] == 0x55);

TEST(sha256, gives_the_published_digests) {
  EXPECT_EQ(hash(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hash("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(hash(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(sha256, does_not_depend_on_how_the_bytes_arrive) {
  for (std::size_t length = 50; length < 140; ++length) {
    const std::string text(length, 'x');
    sha256 pieces;
    for (const char& c : text) pieces.update(std::as_bytes(std::span(&c, 1)));
    sha256 whole;
    whole.update(std::as_bytes(std::span(text.data(), text.size())));
    EXPECT_EQ(pieces.finish(), whole.finish()) << length;
  }
}

}  // namespace
