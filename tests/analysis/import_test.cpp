// SPDX-License-Identifier: Apache-2.0
// Vendors' dumps of small models in layouts x types x names: each tensor comes back with the codes that were written, or
// its file is refused. None is ever silently wrong.
#include <gtest/gtest.h>

#include <algorithm>
#include <bittwin/analysis/dump.hpp>
#include <bittwin/analysis/import.hpp>
#include <bittwin/graph/file.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "analysis/import_models.hpp"
#include "analysis/vendor_dump.hpp"
#include "support/temporary_folder.hpp"

namespace {

using namespace bittwin;
using namespace bittwin::analysis;
namespace fs = std::filesystem;

const graph::target_rules& rules() { return graph::rules_of<targets::tflite_reference>(); }

import_settings settings_for(const graph::model& m) {
  import_settings s;
  s.model = &m;
  s.target = &rules();
  return s;
}

test::vendor_extents extents_of(const graph::tensor& t) {
  const shape& e = t.extents;
  if (e.rank() == 4) return {e[0], e[1], e[2], e[3]};
  return {e[0], 1, 1, e[1]};
}

/// One way to write a dump.
struct form {
  test::vendor_layout layout{};
  std::string dtype = "i8";       ///< of the file
  std::string meaning = "codes";  ///< codes, shifted, reals, board (reals on another grid)
  std::string kind = "bin";
  std::string naming = "sanitised";
  double gap = 0;
  double board_scale = 1;  ///< times the model's
};

std::string said(const form& f) {
  return f.layout.order + " c " + std::to_string(f.layout.c) + " row " +
         std::to_string(f.layout.row) + " plane " + std::to_string(f.layout.plane) + " " + f.dtype +
         " " + f.meaning + " " + f.kind + " " + f.naming;
}

std::string underscored(std::string name) {
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return name;
}

/// The file's name without extension; map_lines gets a line where names say nothing.
std::string file_name(const form& f, const graph::model& m, std::int32_t index, int place) {
  const std::string& name = m.tensors[static_cast<std::size_t>(index)].name;
  const std::string first = underscored(name.substr(0, name.find(';')));
  char text[64];
  std::snprintf(text, sizeof text, "%04d_", place);
  if (f.naming == "sanitised") return underscored(name);
  if (f.naming == "part") return first;
  if (f.naming == "last part") return underscored(name.substr(name.rfind(';') + 1));
  if (f.naming == "onnx") return first + "_output_0";
  if (f.naming == "colon") return first + ":0";
  if (f.naming == "layer number") return text + first;
  if (f.naming == "batch") return "batch0_" + first;
  if (f.naming == "index") return std::snprintf(text, sizeof text, "t%03d", index), text;
  if (f.naming == "tensor index") return "tensor_" + std::to_string(index);
  if (f.naming == "pattern") return "dump.v2.id" + std::to_string(index) + ".out";
  return "blob" + std::to_string(place) + "x";  // map, anonymous
}

/// What the importer has to give for one tensor, as reals.
using truth = std::map<std::int32_t, std::vector<double>>;

truth write_dump(const fs::path& folder, const graph::model& m, const test::board_codes& codes,
                 const form& f, std::mt19937& random) {
  truth reals;
  std::vector<std::int32_t> order;
  for (const auto& [index, values] : codes) order.push_back(index);
  if (f.naming == "anonymous" || f.naming == "map")
    std::shuffle(order.begin(), order.end(), random);
  int place = 0;
  std::ofstream map;
  if (f.naming == "map") map.open(folder / "names.csv");
  for (const std::int32_t index : order) {
    const graph::tensor& t = m.tensors[static_cast<std::size_t>(index)];
    const double scale = static_cast<double>(t.quantization.scale());
    const auto zero = static_cast<double>(t.quantization.zero_point());
    const bool is_signed = t.type == element_type::int8;
    std::vector<double> file;
    for (const int code : codes.at(index)) {
      double real = scale * (code - zero), number = code;
      if (f.meaning == "shifted") number = is_signed ? code + 128 : code - 128;
      if (f.meaning == "board") {
        const double own = scale * f.board_scale;
        const double steps = std::clamp(std::nearbyint(real / own), -100.0, 100.0);
        real = own * steps;
      }
      if (f.meaning == "reals" || f.meaning == "board") number = real;
      reals[index].push_back(real);
      file.push_back(number);
    }
    test::vendor_layout layout = f.layout;
    const test::vendor_extents e = extents_of(t);
    const int width = layout.order == "nchw" ? e.w : e.w * e.c;
    if (layout.row != 0) layout.row = (width + layout.row - 1) / layout.row * layout.row;
    if (layout.plane != 0) {
      const int rows = e.h * (layout.row != 0 ? layout.row : width);
      layout.plane = (rows + layout.plane - 1) / layout.plane * layout.plane;
    }
    const std::string name = file_name(f, m, index, place++);
    test::write_vendor_file(folder / name, test::laid_out(file, e, layout, f.gap), f.dtype, f.kind);
    if (f.naming == "map")
      map << name << (f.kind == "bin" || f.kind == "txt" || f.kind == "csv" ? "." + f.kind : ".npy")
          << "," << (place % 2 == 0 ? std::to_string(index) : t.name) << "\n";
  }
  return reals;
}

/// Tensors whose values are not those that were written.
int wrong(const imported_dump& made, const graph::model& m, const truth& reals, const form& f) {
  int count = 0;
  for (const imported_tensor& t : made.found) {
    const auto expected = reals.find(t.tensor);
    if (expected == reals.end()) {
      ++count;
      continue;
    }
    const graph::tensor& of = m.tensors[static_cast<std::size_t>(t.tensor)];
    const quantization& grid = t.board.present() ? t.board : of.quantization;
    bool same = t.values.extents == of.extents;
    for (std::size_t i = 0; same && i < expected->second.size(); ++i) {
      double real = 0;
      const auto at = static_cast<std::int64_t>(i);
      if (t.values.type == element_type::float32)
        real = static_cast<double>(element_at<float>(t.values.data, at));
      else
        real =
            static_cast<double>(grid.scale()) *
            ((t.values.type == element_type::int8 ? element_at<std::int8_t>(t.values.data, at)
                                                  : element_at<std::uint8_t>(t.values.data, at)) -
             static_cast<double>(grid.zero_point()));
      // A board's grid is as exact as the file's numbers; codes differ by a whole step.
      const double step = static_cast<double>(of.quantization.scale());
      same = std::abs(real - expected->second[i]) <= 0.2 * step;
    }
    if (same) continue;
    ++count;
    ADD_FAILURE() << "tensor " << t.tensor << " of " << t.file << " is silently wrong: " << said(f);
  }
  return count;
}

const std::vector<std::string> namings{"sanitised",    "part",         "last part", "onnx",
                                       "colon",        "layer number", "batch",     "index",
                                       "tensor index", "map",          "pattern",   "anonymous"};

form random_form(std::mt19937& random, element_type own) {
  const auto one_of = [&](auto list) { return list[random() % list.size()]; };
  form f;
  const std::string u = own == element_type::int8 ? "i8" : "u8", v = u == "i8" ? "u8" : "i8";
  const std::vector<std::vector<std::string>> numbers{
      {u, "codes"},     {u, "codes"},     {v, "shifted"},   {"i16", "codes"},
      {"i32", "codes"}, {"f32", "codes"}, {"f16", "reals"}, {"f32", "reals"},
      {"f64", "reals"}, {"f32", "board"}, {"f16", "board"}, {"f64", "board"}};
  const auto chosen = one_of(numbers);
  f.dtype = chosen[0];
  f.meaning = chosen[1];
  const std::vector<test::vendor_layout> layouts{{"nhwc"},
                                                 {"nhwc"},
                                                 {"nchw"},
                                                 {"nchw"},
                                                 {"nc1hwc2", 8},
                                                 {"nc1hwc2", 16},
                                                 {"nc1hwc2", 32},
                                                 {"nhwc", 8},
                                                 {"nhwc", 16},
                                                 {"nhwc", 32},
                                                 {"nhwc", 64},
                                                 {"nchw", 16},
                                                 {"nhwc", 0, 64},
                                                 {"nchw", 0, 16},
                                                 {"nchw", 0, 16, 128},
                                                 {"nhwc", 0, 32, 512},
                                                 {"nchw", 0, 0, 64}};
  f.layout = one_of(layouts);
  f.kind = one_of(std::vector<std::string>{"bin", "bin", "npy", "npy", "flat", "txt", "csv"});
  f.naming = one_of(namings);
  f.gap = one_of(std::vector<double>{0, 0, 1});
  f.board_scale = one_of(std::vector<double>{0.61, 0.83, 1.27, 1.9});
  return f;
}

TEST(import, of_layouts_types_and_names_is_right_or_refused) {
  std::map<std::string, int> placed, written;
  int right = 0, files = 0;
  constexpr unsigned dumps = 400;
  for (unsigned seed = 0; seed < dumps; ++seed) {
    std::mt19937 random(seed);
    const element_type type = seed % 3 == 2 ? element_type::uint8 : element_type::int8;
    // In one of four rows, columns and channels are alike: then not even a shape tells orders apart.
    const graph::model m = test::import_model(type, 7, 3, seed % 4 == 3 ? 8 : 10);
    const test::board_codes codes = test::board_run(m, seed, seed % 2 == 0 ? 0 : 2);
    ASSERT_FALSE(codes.empty());
    const form f = random_form(random, type);
    const test::temporary_folder folder;
    const truth reals = write_dump(folder.path(), m, codes, f, random);
    import_settings settings = settings_for(m);
    if (f.naming == "map") settings.map = folder.path() / "names.csv";
    if (f.naming == "pattern") settings.pattern = "dump\\.v\\d\\.id(\\d+)\\.out\\.\\w+";
    const auto made = import_dump(folder.path(), settings);
    ASSERT_TRUE(made.has_value()) << made.error().text << "\n" << said(f);
    EXPECT_EQ(wrong(*made, m, reals, f), 0);
    EXPECT_EQ(made->found.size() + made->refused.size(), codes.size()) << said(f);
    EXPECT_EQ(made->found.size() + made->not_found.size(), codes.size());
    EXPECT_EQ(made->complete(), made->found.size() == codes.size());
    files += static_cast<int>(codes.size());
    right += static_cast<int>(made->found.size());
    const std::string layout = f.layout.order + (f.layout.c != 0 ? " blocks" : "") +
                               (f.layout.row + f.layout.plane != 0 ? " strides" : "");
    for (const std::string& key : {layout, f.dtype + " " + f.meaning, f.naming, f.kind}) {
      placed[key] += static_cast<int>(made->found.size());
      written[key] += static_cast<int>(codes.size());
    }
  }
  // Nothing would be wrong, either, if all were refused.
  EXPECT_GT(right, files * 8 / 10) << right << " of " << files;
  for (const auto& [key, count] : written)
    EXPECT_GT(placed[key] * 2, count) << key << ": " << placed[key] << " of " << count;
  RecordProperty("placed", right);
  RecordProperty("written", files);
}

/// Layouts and types that the user says leave nothing open, whatever the board makes of the numbers.
TEST(import, of_a_layout_and_type_that_are_said_needs_no_values) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    std::mt19937 random(1000 + seed);
    const graph::model m = test::import_model(element_type::int8, 5, 3, 8);
    test::board_codes codes = test::board_run(m, seed, 0);
    // A board that is wrong in every element, and no input.
    for (auto& [index, values] : codes)
      for (int& code : values) code = static_cast<int>(random() % 256) - 128;
    codes.erase(m.inputs[0]);
    form f;
    f.naming = namings[seed % 9];
    f.layout = std::vector<test::vendor_layout>{{"nchw"}, {"nhwc"}, {"nchw", 0, 16}}[seed % 3];
    const test::temporary_folder folder;
    const truth reals = write_dump(folder.path(), m, codes, f, random);
    import_settings settings = settings_for(m);
    settings.type = element_type::int8;
    settings.layouts = {{seed % 3 == 1 ? element_order::nhwc : element_order::nchw}};
    const auto made = import_dump(folder.path(), settings);
    ASSERT_TRUE(made.has_value()) << made.error().text;
    EXPECT_EQ(wrong(*made, m, reals, f), 0);
    EXPECT_EQ(made->found.size(), codes.size())
        << said(f) << "\n"
        << (made->refused.empty() ? "" : made->refused[0].text);
  }
}

class import_hostile : public testing::Test {
 protected:
  void write(const form& f) {
    std::mt19937 random(7);
    reals_ = write_dump(folder_.path(), model_, codes_, f, random);
  }
  void expect_refused(const std::string& file, const std::vector<std::string>& because) {
    const auto made = import_dump(folder_.path(), settings_);
    ASSERT_TRUE(made.has_value()) << made.error().text;
    EXPECT_EQ(wrong(*made, model_, reals_, {}), 0);
    for (const auto& [name, text] : made->refused) {
      if (name != file) continue;
      EXPECT_TRUE(std::none_of(made->found.begin(), made->found.end(),
                               [&](const imported_tensor& t) { return t.file == file; }));
      for (const std::string& part : because)
        EXPECT_NE(text.find(part), std::string::npos) << text << "\nhas no " << part;
      return;
    }
    ADD_FAILURE() << file << " was not refused";
  }
  void expect_error(const std::string& because) {
    const auto made = import_dump(folder_.path(), settings_);
    ASSERT_FALSE(made.has_value());
    EXPECT_NE(made.error().text.find(because), std::string::npos) << made.error().text;
  }
  [[nodiscard]] fs::path path(const std::string& name) const { return folder_.path() / name; }

  graph::model model_ = test::import_model(element_type::int8, 7, 3, 10);
  test::board_codes codes_ = test::board_run(model_, 5, 2);
  test::temporary_folder folder_;
  import_settings settings_ = settings_for(model_);
  truth reals_;
};

TEST_F(import_hostile, truncated_files_say_their_size) {
  write({.layout = {"nchw"}});
  fs::resize_file(path("net_add.bin"), 413);
  expect_refused("net_add.bin", {"has 413 bytes", "'net/add' is int8[1,7,8,10]", "--layout"});
}

TEST_F(import_hostile, truncated_arrays_say_so) {
  write({.kind = "npy"});
  fs::resize_file(path("net_add.npy"), 200);
  expect_refused("net_add.npy", {"'net_add.npy' has", "bytes of data"});
}

TEST_F(import_hostile, swapped_files_of_one_shape_are_seen) {
  for (const char* kind : {"npy", "bin"}) {
    write({.kind = kind});
    const std::string end = std::string(".") + kind;
    fs::rename(path("net_point_BiasAdd" + end), path("x" + end));
    fs::rename(path("net_side_BiasAdd" + end), path("net_point_BiasAdd" + end));
    fs::rename(path("x" + end), path("net_side_BiasAdd" + end));
    const auto made = import_dump(folder_.path(), settings_);
    ASSERT_TRUE(made.has_value());
    ASSERT_EQ(made->refused.size(), 2) << kind;
    EXPECT_NE(made->refused[0].text.find("net/"), std::string::npos) << made->refused[0].text;
    for (const imported_tensor& t : made->found) {
      EXPECT_EQ(t.file.find("point"), std::string::npos);
      EXPECT_EQ(t.file.find("side"), std::string::npos);
    }
    for (const auto& entry : fs::directory_iterator(folder_.path())) fs::remove(entry.path());
  }
}

TEST_F(import_hostile, an_input_swapped_with_a_tensor_of_its_shape_is_seen) {
  // As many channels as the input has, so that the two files are of one shape.
  model_ = test::import_model(element_type::int8, 7, 8, 8);
  codes_ = test::board_run(model_, 5, 0);
  write({.kind = "npy"});
  fs::rename(path("net_add.npy"), path("x.npy"));
  fs::rename(path("serving_default_input_0.npy"), path("net_add.npy"));
  fs::rename(path("x.npy"), path("serving_default_input_0.npy"));
  expect_refused("net_add.npy", {"files may be swapped"});
  expect_refused("serving_default_input_0.npy", {"'net_add.npy'", "files may be swapped"});
}

TEST_F(import_hostile, not_a_number_is_named_with_its_place) {
  write({.dtype = "f32", .meaning = "reals", .kind = "npy"});
  auto bytes = **graph::read_file(path("net_add.npy"));
  bytes[bytes.size() - 1] = bytes[bytes.size() - 2] = std::byte{0x7F + 0};
  bytes[bytes.size() - 2] = std::byte{0xC0};
  test::write_bytes(path("net_add.npy"), bytes);
  expect_refused("net_add.npy", {"holds NaN at element 559"});
}

TEST_F(import_hostile, two_files_for_one_tensor_are_both_refused) {
  write({.kind = "npy"});
  fs::copy_file(path("net_add.npy"), path("0003_net_add.npy"));
  expect_refused("net_add.npy", {"'net_add.npy' and '0003_net_add.npy' are both tensor"});
  expect_refused("0003_net_add.npy", {"are both tensor"});
}

TEST_F(import_hostile, twins_are_not_told_apart_by_values) {
  write({.kind = "npy", .naming = "anonymous"});
  // The same values once more: nobody can tell which of them is the tensor.
  fs::copy_file(path("blob3x.npy"), path("blob33x.npy"));
  const auto made = import_dump(folder_.path(), settings_);
  ASSERT_TRUE(made.has_value());
  EXPECT_EQ(wrong(*made, model_, reals_, {}), 0);
  for (const imported_tensor& t : made->found)
    EXPECT_TRUE(t.file != "blob3x.npy" && t.file != "blob33x.npy") << t.file;
  EXPECT_GE(made->refused.size(), 2);
}

TEST_F(import_hostile, folders_and_foreign_files_are_left_over) {
  write({.kind = "npy"});
  fs::create_directory_symlink(folder_.path(), path("again.bin"));
  fs::create_symlink(path("nowhere"), path("net_lost.bin"));
  std::ofstream(path("layers.json")) << "{}";
  const auto made = import_dump(folder_.path(), settings_);
  ASSERT_TRUE(made.has_value());
  EXPECT_EQ(made->found.size(), codes_.size());
  ASSERT_EQ(made->left_over.size(), 2);
  EXPECT_NE(made->left_over[0].text.find("'again.bin' is a folder"), std::string::npos);
  EXPECT_NE(made->left_over[1].text.find("'layers.json' is of a kind"), std::string::npos);
  ASSERT_EQ(made->refused.size(), 1);
  EXPECT_NE(made->refused[0].text.find("no such file"), std::string::npos) << made->refused[0].text;
  EXPECT_FALSE(made->complete());
}

TEST_F(import_hostile, text_that_is_no_number_is_quoted_with_its_line) {
  write({.dtype = "f32", .meaning = "reals", .kind = "csv"});
  std::ofstream(path("net_add.csv"), std::ios::app) << "\nbroken\n";
  expect_refused("net_add.csv", {"'broken' in line 82"});
}

TEST_F(import_hostile, maps_and_patterns_that_do_not_fit_are_errors) {
  write({.kind = "npy"});
  settings_.map = path("map.csv");
  std::ofstream(path("map.csv")) << "file,tensor\nnet_add.npy,999\n";
  expect_error("line 2: '999' is no tensor of made.tflite");
  std::ofstream(path("map.csv")) << "nothing.npy,net/add\n";
  expect_error("names 'nothing.npy', which is not in");
  std::ofstream(path("map.csv")) << "net_add.npy\n";
  expect_error("line 1: has no comma");
  std::ofstream(path("map.csv")) << "net_add.npy,1\nnet_add.npy,2\n";
  expect_error("line 2: 'net_add.npy' stands there twice");
  settings_.map.clear();
  settings_.pattern = "(";
  expect_error("is not a regular expression");
  settings_.pattern = "(a)(b)";
  expect_error("has to have one group");
}

/// Without the input nothing is decided by values, and what is open is listed.
TEST_F(import_hostile, without_the_input_open_layouts_are_refused_with_both_ways) {
  codes_.erase(model_.inputs[0]);
  write({.layout = {"nchw"}});
  expect_refused("net_add.bin", {"as int8, nhwc or", "--layout", "has no tensor 0", "--input"});
}

TEST_F(import_hostile, constants_and_lone_names_are_explained) {
  write({.kind = "npy"});
  test::write_bytes(path("t008.npy"), test::encoded({1, 2, 3}, "i8"));
  std::ofstream(path("t008.txt")) << "1 2 3\n";
  const auto made = import_dump(folder_.path(), settings_);
  ASSERT_TRUE(made.has_value());
  ASSERT_EQ(made->left_over.size() + made->refused.size(), 2);
}

/// What no tensor holds is no tensor, however well it fits.
TEST_F(import_hostile, values_that_are_near_nothing_are_refused) {
  write({.kind = "bin"});
  std::mt19937 random(3);
  std::vector<double> noise;
  for (int i = 0; i < 7 * 8 * 10; ++i) noise.push_back(static_cast<double>(random() % 256) - 128);
  test::write_bytes(path("zzz.bin"), test::encoded(noise, "i8"));
  expect_refused("zzz.bin", {"is near nothing that the run on the dump's inputs made", "--map"});
  // A named one, too, where more than one way to read it fits.
  test::write_bytes(path("net_add.bin"), test::encoded(noise, "i8"));
  expect_refused("net_add.bin", {"is near nothing", "tensor 4 'net/add'", "--layout"});
}

/// An input that can be read in several ways, and nothing behind it that tells which.
TEST_F(import_hostile, an_input_that_explains_nothing_is_refused) {
  write({.kind = "bin"});
  std::mt19937 random(9);
  for (const auto& entry : fs::directory_iterator(folder_.path())) {
    std::vector<double> noise(fs::file_size(entry.path()));
    for (double& code : noise) code = static_cast<double>(random() % 256) - 128;
    if (entry.path().filename() != "serving_default_input_0.bin")
      test::write_bytes(entry.path(), test::encoded(noise, "i8"));
  }
  expect_refused("serving_default_input_0.bin",
                 {"the inputs can be read in 4 ways", "none makes what most other files hold"});
}

/// Half way between two tensors that are 1.4 % apart: nearer to each than a percent.
TEST_F(import_hostile, two_tensors_within_one_percent_are_both_listed) {
  write({.kind = "npy"});
  std::vector<double> between;
  for (std::size_t i = 0; i < reals_[2].size(); ++i)
    between.push_back((reals_[2][i] + reals_[4][i]) / 2);
  test::write_vendor_file(path("between"), {between, {1, 7, 8, 10}}, "f32", "npy");
  expect_refused("between.npy", {"tensor 2 'net/point/BiasAdd'", "tensor 4 'net/add'", "within 1 %",
                                 "say which tensor it is with --map"});
}

/// The board's own scale is written for whoever compares.
TEST_F(import_hostile, a_grid_of_the_boards_own_is_in_the_manifest) {
  write({.dtype = "f32", .meaning = "board", .kind = "npy", .board_scale = 1.25});
  const auto made = import_dump(folder_.path(), settings_);
  ASSERT_TRUE(made.has_value());
  ASSERT_EQ(made->found.size(), codes_.size());
  const test::temporary_folder out;
  ASSERT_TRUE(write_import(*made, model_, out.path() / "dump", "0"));
  const auto read = dump::open(out.path() / "dump");
  ASSERT_TRUE(read.has_value()) << read.error().text;
  for (const auto& [index, reals] : reals_) {
    const double model =
        static_cast<double>(model_.tensors[static_cast<std::size_t>(index)].quantization.scale());
    ASSERT_NE(read->entry(index), nullptr);
    const double board = static_cast<double>(read->entry(index)->quantization.scale());
    EXPECT_NEAR(board / model, 1.25, 1e-5) << index;
    EXPECT_EQ(read->entry(index)->type, element_type::int8);
  }
}

}  // namespace
