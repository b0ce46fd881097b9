// SPDX-License-Identifier: Apache-2.0
// write_images COUNT SEED OUT: raw bytes, of each image its label and its pixels.
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "images.hpp"

int main(int count, char** arguments) {
  if (count != 4) return std::puts("usage: write_images COUNT SEED OUT"), 2;
  std::ofstream file(arguments[3], std::ios::binary);
  const auto images = std::strtoull(arguments[1], nullptr, 10);
  const auto seed = std::strtoull(arguments[2], nullptr, 10);
  for (std::uint64_t i = 0; i < images; ++i) {
    const bittwin::demo::labelled_image image = bittwin::demo::draw_image(seed, i);
    file.put(static_cast<char>(image.label));
    for (const std::uint8_t byte : image.pixels) file.put(static_cast<char>(byte));
  }
  file.flush();
  return file ? 0 : (std::printf("%s: cannot be written\n", arguments[3]), 2);
}
