// SPDX-License-Identifier: Apache-2.0
// Dumps: what is written is read back, nothing appears before it is complete, bad ones are refused.
#include <gtest/gtest.h>
#include <bittwin/analysis/npy.hpp>

#include <bittwin/analysis/dump.hpp>
#include <bittwin/analysis/dump_writer.hpp>
#include <bittwin/graph/read_tflite.hpp>
#include <fstream>
#include <string>

#include "support/temporary_folder.hpp"
#include "support/tflite_builder.hpp"

namespace {

using namespace bittwin;
using namespace bittwin::analysis;
namespace fs = std::filesystem;

graph::model small_model() {
  return *graph::read_tflite(
      test::shared_bytes(test::tflite_builder::build(test::small_convolution())), "small.tflite");
}

array filled(const graph::tensor& t, int value) {
  array a{t.type, t.extents, {}};
  a.data.resize(static_cast<std::size_t>(t.extents.elements() * bytes_of(t.type)),
                static_cast<std::byte>(value));
  return a;
}

std::size_t entries(const fs::path& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(dump, what_is_written_is_read_back) {
  const test::temporary_folder folder;
  const graph::model model = small_model();
  result<dump_writer> writer =
      dump_writer::create(folder.path() / "d", model, "some-target", "1.0");
  ASSERT_TRUE(writer) << writer.error().text;
  for (const std::int32_t i : {0, 3, 4})
    ASSERT_TRUE(writer->add(i, filled(model.tensors[static_cast<std::size_t>(i)], i + 1)));
  ASSERT_TRUE(writer->finish());
  EXPECT_EQ(entries(folder.path() / "d"), 4u) << "three arrays and the manifest, nothing else";

  const result<dump> d = dump::open(folder.path() / "d");
  ASSERT_TRUE(d) << d.error().text;
  EXPECT_EQ(d->indices(), (std::vector<std::int32_t>{0, 3, 4}));
  EXPECT_EQ(d->description()->sha256, model.sha256);
  EXPECT_EQ(d->description()->model, "small.tflite");
  const manifest_tensor* const entry = d->entry(3);
  ASSERT_NE(entry, nullptr);
  EXPECT_EQ(entry->name, "conv");
  EXPECT_EQ(entry->quantization, model.tensors[3].quantization);
  EXPECT_EQ(entry->op, "CONV_2D");
  EXPECT_EQ(entry->op_index, 0);
  EXPECT_FALSE(d->entry(0)->op_index);
  EXPECT_EQ(d->read(4)->data, filled(model.tensors[4], 5).data);
  EXPECT_FALSE(d->read(1));
}

TEST(dump, nothing_is_left_of_a_dump_that_was_not_finished) {
  const test::temporary_folder folder;
  const graph::model model = small_model();
  {
    result<dump_writer> writer = dump_writer::create(folder.path() / "new", model, "", "");
    ASSERT_TRUE(writer->add(0, filled(model.tensors[0], 1)));
    EXPECT_FALSE(fs::exists(folder.path() / "new" / "t000.npy"));
  }
  EXPECT_FALSE(fs::exists(folder.path() / "new"));
  { const result<dump_writer> writer = dump_writer::create(folder.path(), model, "", ""); }
  EXPECT_EQ(entries(folder.path()), 0u) << "a folder that was there stays, empty as it was";
}

TEST(dump, samples_have_folders_of_their_own) {
  const test::temporary_folder folder;
  const graph::model model = small_model();
  result<dump_writer> writer = dump_writer::create(folder.path(), model, "", "");
  for (int n = 0; n < 2; ++n) {
    ASSERT_TRUE(writer->start_sample(n));
    ASSERT_TRUE(writer->add(0, filled(model.tensors[0], n + 1)));
  }
  ASSERT_TRUE(writer->finish());
  const result<dump> d = dump::open(folder.path());
  ASSERT_TRUE(d) << d.error().text;
  EXPECT_EQ(d->samples(), (std::vector<std::string>{"s0000", "s0001"}));
  EXPECT_EQ(d->read(0, 1)->data[0], std::byte{2});
  EXPECT_EQ(d->description()->tensors.size(), 1u);
}

TEST(dump, a_folder_of_arrays_alone_is_a_dump) {
  const test::temporary_folder folder;
  ASSERT_TRUE(write_npy_file(folder.path() / "t012.npy", filled(small_model().tensors[0], 1)));
  ASSERT_TRUE(write_npy_file(folder.path() / "t1000.npy", filled(small_model().tensors[0], 1)));
  ASSERT_TRUE(write_npy_file(folder.path() / "t1x.npy", filled(small_model().tensors[0], 1)));
  const result<dump> d = dump::open(folder.path());
  ASSERT_TRUE(d) << d.error().text;
  EXPECT_EQ(d->indices(), (std::vector<std::int32_t>{12, 1000}));
  EXPECT_EQ(d->entry(12), nullptr);
  EXPECT_TRUE(d->read(12));
}

TEST(dump, names_that_are_no_utf_8_are_written_as_json_all_the_same) {
  graph::model model = small_model();
  model.tensors[0].name = "\xFF\xFE\"\n";
  manifest m;
  m.tensors.push_back(describe(model, 0));
  const result<manifest> back = parse_manifest(to_json(m), "m");
  ASSERT_TRUE(back) << back.error().text;
  EXPECT_EQ(back->tensors[0].extents, model.tensors[0].extents);
}

TEST(dump, scales_survive_the_manifest_bit_for_bit) {
  graph::model model = small_model();
  model.tensors[0].quantization = {{0.1F, 1e-38F, 3.4e38F, 1.17549435e-38F}, {0, 0, 0, 1}, 1};
  manifest m;
  m.tensors.push_back(describe(model, 0));
  EXPECT_EQ(parse_manifest(to_json(m), "m")->tensors[0].quantization,
            model.tensors[0].quantization);
}

TEST(dump, bad_manifests_are_refused_with_the_place) {
  const auto refusal = [](const std::string& text) {
    const result<manifest> m = parse_manifest(text, "manifest.json");
    return m ? std::string("(accepted)") : m.error().text;
  };
  const std::string head = R"({"tensors": [{"index": 0, "file": ")";
  const std::string tail = R"(", "dtype": "int8", "shape": [1]}]})";
  EXPECT_EQ(refusal(head + "t000.npy" + tail), "(accepted)");
  EXPECT_NE(refusal("[").find("not a JSON object"), std::string::npos);
  EXPECT_NE(refusal("{}").find("no list"), std::string::npos);
  EXPECT_NE(refusal(head + "../t000.npy" + tail).find("plain file name"), std::string::npos);
  EXPECT_NE(refusal(head + tail).find("tensors[0].file"), std::string::npos);
  for (
      const char* entry :
      {"1", "{}", R"({"index": -1})", R"({"index": 0, "file": "a", "dtype": "int9", "shape": [1]})",
       R"({"index": 0, "file": "a", "dtype": "int8", "shape": [-1]})",
       R"({"index": 0, "file": "a", "dtype": "int8", "shape": [1], "scale": [0]})",
       R"({"index": 0, "file": "a", "dtype": "int8", "shape": [1], "scale": [1e39]})",
       R"({"index": 0, "file": "a", "dtype": "int8", "shape": [1], "scale": [1], "zero_point": []})"})
    EXPECT_NE(refusal(R"({"tensors": [)" + std::string(entry) + "]}").find("tensors[0]"),
              std::string::npos)
        << entry;
}

TEST(dump, arrays_that_contradict_the_manifest_are_refused) {
  const test::temporary_folder folder;
  const graph::model model = small_model();
  result<dump_writer> writer = dump_writer::create(folder.path(), model, "", "");
  ASSERT_TRUE(writer->add(0, filled(model.tensors[0], 1)));
  ASSERT_TRUE(writer->finish());
  ASSERT_TRUE(write_npy_file(folder.path() / "t000.npy", filled(model.tensors[2], 1)));
  const result<array> a = dump::open(folder.path())->read(0);
  ASSERT_FALSE(a);
  EXPECT_NE(a.error().text.find("manifest.json says int8[1,4,4,2]"), std::string::npos)
      << a.error().text;
}

TEST(dump, folders_that_are_no_dump_are_refused) {
  const test::temporary_folder folder;
  EXPECT_NE(dump::open(folder.path()).error().text.find("holds no tNNN.npy"), std::string::npos);
  EXPECT_NE(dump::open(folder.path() / "x").error().text.find("is not a folder"),
            std::string::npos);
  std::ofstream(folder.path() / "file") << "x";
  EXPECT_FALSE(dump_writer::create(folder.path() / "file", small_model(), "", ""));
  EXPECT_FALSE(dump_writer::create("/proc/nowhere", small_model(), "", ""));
}

}  // namespace
