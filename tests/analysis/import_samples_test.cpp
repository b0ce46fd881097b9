// SPDX-License-Identifier: Apache-2.0
// A vendor's dump of several inputs, a folder each: all samples are read alike, or the tensor is refused. And maps, which
// name a file's tensor but do not make it true.
#include <gtest/gtest.h>

#include <algorithm>
#include <bittwin/analysis/dump.hpp>
#include <bittwin/analysis/import_samples.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "analysis/import_models.hpp"
#include "analysis/vendor_dump.hpp"
#include "support/temporary_folder.hpp"

namespace {

using namespace bittwin;
using namespace bittwin::analysis;
namespace fs = std::filesystem;

class vendors_samples : public testing::Test {
 protected:
  vendors_samples() {
    settings_.model = &model_;
    settings_.target = &graph::rules_of<targets::tflite_reference>();
  }

  /// Every tensor of a run on an input of its own, as raw int8 in an order of elements.
  test::board_codes write(const std::string& sample, std::uint64_t seed, const char* order) {
    const test::board_codes codes = test::board_run(model_, seed, 1);
    for (const auto& [index, values] : codes) write_one(sample, index, values, order);
    return codes;
  }
  void write_one(const std::string& sample, std::int32_t index, const std::vector<int>& values,
                 const char* order) {
    fs::create_directories(folder_.path() / sample);
    const shape& e = model_.tensors[static_cast<std::size_t>(index)].extents;
    const test::vendor_extents extents = e.rank() == 4
                                             ? test::vendor_extents{e[0], e[1], e[2], e[3]}
                                             : test::vendor_extents{e[0], 1, 1, e[1]};
    test::write_vendor_file(
        folder_.path() / sample /
            ("t" + std::string(index < 10 ? "00" : "0") + std::to_string(index)),
        test::laid_out({values.begin(), values.end()}, extents, {order}, 0), "i8", "bin");
  }
  [[nodiscard]] imported_samples import() const {
    auto made = import_samples(folder_.path(), settings_);
    EXPECT_TRUE(made.has_value()) << made.error().text;
    return made ? std::move(*made) : imported_samples();
  }
  [[nodiscard]] static std::vector<int> codes_of(const imported_tensor& t) {
    std::vector<int> codes;
    for (const std::byte b : t.values.data)
      codes.push_back(static_cast<std::int8_t>(std::to_integer<int>(b)));
    return codes;
  }
  [[nodiscard]] static std::string refusals(const imported_dump& s) {
    std::string all;
    for (const refused_file& f : s.refused) all += f.text + "\n";
    return all;
  }

  graph::model model_ = test::import_model(element_type::int8, 7, 3, 10);
  test::temporary_folder folder_;
  import_settings settings_;
};

TEST_F(vendors_samples, become_one_dump_in_the_order_of_their_names) {
  std::vector<test::board_codes> boards;
  for (const char* name : {"run_a", "run_b", "run_c"})
    boards.push_back(write(name, boards.size() + 20, "nchw"));
  const imported_samples made = import();
  ASSERT_EQ(made.folders, (std::vector<std::string>{"run_a", "run_b", "run_c"}));
  EXPECT_TRUE(made.complete());
  for (std::size_t s = 0; s < boards.size(); ++s) {
    ASSERT_EQ(made.samples[s].found.size(), boards[s].size()) << refusals(made.samples[s]);
    for (const imported_tensor& t : made.samples[s].found) {
      EXPECT_EQ(codes_of(t), boards[s].at(t.tensor)) << s << " tensor " << t.tensor;
      if (t.values.extents.rank() == 4) {
        EXPECT_EQ(to_string(t.layout), "nchw");
      }
    }
  }
  const test::temporary_folder out;
  ASSERT_TRUE(write_import(made, model_, out.path() / "dump", "0"));
  const auto read = dump::open(out.path() / "dump");
  ASSERT_TRUE(read.has_value()) << read.error().text;
  EXPECT_EQ(read->samples(), (std::vector<std::string>{"s0000", "s0001", "s0002"}));
  for (std::size_t s = 0; s < boards.size(); ++s)
    for (const auto& [index, codes] : boards[s]) {
      const auto tensor = read->read(index, s);
      ASSERT_TRUE(tensor.has_value());
      EXPECT_EQ(tensor->data.size(), codes.size());
      EXPECT_EQ(static_cast<std::int8_t>(tensor->data[3]), codes[3]) << s << " tensor " << index;
    }
}

/// One value everywhere can be read in any order: the other samples say which.
TEST_F(vendors_samples, decide_for_each_other) {
  write("s0", 20, "nchw");
  test::board_codes flat = test::board_run(model_, 21, 0);
  std::vector<int>& added = flat.at(4);
  for (std::size_t i = 0; i < added.size(); ++i) added[i] = static_cast<int>(i % 10) - 5;
  for (const auto& [index, values] : flat) write_one("s1", index, values, "nchw");
  {
    import_settings alone = settings_;
    const auto one = import_dump(folder_.path() / "s1", alone);
    ASSERT_TRUE(one.has_value());
    ASSERT_TRUE(std::none_of(one->found.begin(), one->found.end(), [](const imported_tensor& t) {
      return t.tensor == 4;
    })) << "alone it is not near the run";
  }
  const imported_samples made = import();
  EXPECT_TRUE(made.complete()) << refusals(made.samples[1]);
  for (const imported_dump& s : made.samples)
    for (const imported_tensor& t : s.found)
      if (t.tensor == 4) {
        EXPECT_EQ(to_string(t.layout), "nchw");
      }
  for (const imported_tensor& t : made.samples[1].found)
    EXPECT_EQ(codes_of(t), flat.at(t.tensor)) << t.tensor;
}

TEST_F(vendors_samples, that_contradict_each_other_are_refused) {
  write("s0", 20, "nhwc");
  write("s1", 21, "nchw");
  const imported_samples made = import();
  EXPECT_FALSE(made.complete());
  for (const imported_dump& s : made.samples) {
    EXPECT_NE(refusals(s).find("which samples hold in different ways (int8, nhwc in s0, int8, nchw "
                               "in s1)"),
              std::string::npos)
        << refusals(s);
    // What has no order of elements to differ in.
    for (const imported_tensor& t : s.found) EXPECT_NE(t.values.extents.rank(), 4) << t.tensor;
  }
}

TEST_F(vendors_samples, that_lack_a_tensor_leave_it_out_of_all) {
  write("s0", 20, "nhwc");
  write("s1", 21, "nhwc");
  fs::remove(folder_.path() / "s1/t004.bin");
  const imported_samples made = import();
  EXPECT_EQ(made.left_out, std::vector<std::int32_t>{4});
  EXPECT_FALSE(made.complete());
  ASSERT_EQ(made.samples[0].found.size(), made.samples[1].found.size());
  EXPECT_EQ(made.samples[0].found.size(), 6u);
  EXPECT_EQ(std::count(made.samples[0].not_found.begin(), made.samples[0].not_found.end(), 4), 1);
}

TEST_F(vendors_samples, have_inputs_of_their_own) {
  write("s0", 20, "nhwc");
  settings_.inputs.push_back({element_type::int8, model_.tensors[0].extents, {}});
  const auto made = import_samples(folder_.path(), settings_);
  ASSERT_FALSE(made.has_value());
  EXPECT_NE(made.error().text.find("--input is that of one"), std::string::npos);
}

TEST_F(vendors_samples, may_be_files_beside_a_folder) {
  write("", 20, "nhwc");
  fs::create_directory(folder_.path() / "old");
  const imported_samples made = import();
  EXPECT_EQ(made.folders, std::vector<std::string>{""});
  EXPECT_EQ(made.samples[0].left_over.size(), 1u);
}

/// A line of a map is a name like any other: values that are plainly another tensor's refuse it.
TEST_F(vendors_samples, maps_that_swap_two_tensors_are_refused_unless_sure) {
  write("", 20, "nhwc");
  fs::rename(folder_.path() / "t002.bin", folder_.path() / "first.bin");
  fs::rename(folder_.path() / "t003.bin", folder_.path() / "second.bin");
  const test::temporary_folder maps;
  settings_.map = maps.path() / "map.csv";
  const auto refused = [&](const std::string& lines) {
    std::ofstream(settings_.map) << lines;
    return refusals(import().samples.at(0));
  };
  EXPECT_EQ(refused("first.bin,2\nsecond.bin,3\n"), "");
  const std::string swapped = refused("file,tensor\nfirst.bin,3\nsecond.bin,2\n");
  EXPECT_NE(swapped.find("'first.bin' reads as tensor 3"), std::string::npos) << swapped;
  EXPECT_NE(swapped.find("files may be swapped"), std::string::npos) << swapped;
  EXPECT_NE(swapped.find("FILE,TENSOR,sure"), std::string::npos) << swapped;
  // Nothing but the user's word says how such files are laid out.
  settings_.layouts = {import_layout()};
  settings_.type = element_type::int8;
  EXPECT_EQ(refused("first.bin,3,sure\nsecond.bin,2,sure\n"), "");
  EXPECT_NE(refused("first.bin,3\nsecond.bin,2\n"), "");
  settings_.map.clear();
  settings_.pattern = "t(\\d+)\\.bin";
  fs::rename(folder_.path() / "first.bin", folder_.path() / "t003.bin");
  fs::rename(folder_.path() / "second.bin", folder_.path() / "t002.bin");
  EXPECT_NE(refusals(import().samples.at(0)).find("files may be swapped"), std::string::npos);
}

}  // namespace
