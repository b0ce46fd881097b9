// SPDX-License-Identifier: Apache-2.0
// Pages: nothing in them comes from elsewhere, what a file calls its tensors stays text, and they stay small.
#include <gtest/gtest.h>
#include <bittwin/analysis/audit.hpp>
#include <bittwin/analysis/audit_page.hpp>
#include <bittwin/analysis/comparison_page.hpp>
#include <bittwin/analysis/comparison_text.hpp>
#include <bittwin/analysis/dump_comparison.hpp>
#include <bittwin/analysis/dump_writer.hpp>
#include <bittwin/analysis/html_text.hpp>
#include <bittwin/analysis/page.hpp>
#include <bittwin/analysis/run_page.hpp>
#include <bittwin/graph/read_tflite.hpp>
#include <bittwin/targets/tflite_reference.hpp>

#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

#include "support/temporary_folder.hpp"
#include "support/tflite_builder.hpp"

namespace {

using namespace bittwin;
using namespace bittwin::analysis;
using nlohmann::json;

std::size_t count(const std::string& text, const std::string& piece) {
  std::size_t found = 0;
  for (std::size_t at = text.find(piece); at != std::string::npos; at = text.find(piece, at + 1))
    ++found;
  return found;
}

/// What the script reads.
json data_of(const std::string& html) {
  const std::string open = "<script type=\"application/json\" id=\"data\">";
  const std::size_t at = html.find(open) + open.size();
  return json::parse(html.substr(at, html.find("</script>", at) - at));
}

page one_layer(const std::string& name) {
  page p;
  p.title = name;
  p.sentence = name;
  p.facts = {{name, name}};
  p.notes = {{name, name}};
  p.height = name;
  p.marks = {{name, 'N', page_ink::red, name}};
  page_layer l;
  l.label = l.name = l.summary = name;
  l.facts = {{name, name}};
  l.findings = {{name, name}};
  l.lines = {{1, name}};
  p.layers = {l};
  return p;
}

/// Addresses, elements that load, and rules of style that do.
void expect_self_contained(const std::string& html) {
  for (const char* piece : {"http:", "https:", "//www", "<img", "<iframe", "<object", "url(",
                            "@import", "fetch(", "import ", "XMLHttpRequest"})
    EXPECT_EQ(count(html, piece), 0u) << piece;
  EXPECT_EQ(count(html, "<link"), 1u) << "the icon, which is empty data";
  EXPECT_EQ(count(html, "href=\"#") + count(html, "href=\"data:,\""), count(html, "href="));
}

TEST(page, names_are_text_wherever_they_stand) {
  const std::string name = "</script><img src=x onerror=\"alert(1)\"><!--&amp;'";
  const std::string html = to_html(one_layer(name));
  EXPECT_EQ(count(html, "<img"), 0u);
  EXPECT_EQ(count(html, "<!--"), 0u);
  EXPECT_EQ(count(html, "<script"), 2u);
  EXPECT_EQ(count(html, "</script>"), 2u);
  EXPECT_EQ(count(html, "onerror=\""), 0u) << "a quote would end an attribute";
  const json layer = data_of(html)["layers"][0];
  EXPECT_EQ(layer["name"], name);
  EXPECT_EQ(layer["findings"][0][1], name);
  EXPECT_GE(count(html, "&lt;/script&gt;&lt;img src=x onerror=&quot;alert(1)&quot;&gt;"), 8u);
}

TEST(page, bytes_that_are_no_text_are_replaced) {
  using std::string_literals::operator""s;
  const std::string hostile = "a\0b\xFF\xC3\x28\xE2\x80\xAE"s + "c\x1B[31m\xED\xA0\x80\xF5\x80";
  const std::string html = to_html(one_layer(hostile));
  EXPECT_EQ(html.find('\0'), std::string::npos);
  EXPECT_EQ(html.find('\x1B'), std::string::npos);
  EXPECT_EQ(count(html, "\xE2\x80\xAE"), 0u) << "turns the direction of what follows";
  const std::string r = "\xEF\xBF\xBD";
  EXPECT_EQ(data_of(html)["layers"][0]["name"],
            "a" + r + "b" + r + r + "(" + r + r + r + "c" + r + "[31m" + r + r + r + r + r);
  // Names of other languages, and of the last plane, stay what they are.
  const std::string fine = "\xE5\xB1\xA4/\xC3\xA9t\xC3\xA9\xF0\x9F\x98\x80";
  EXPECT_EQ(data_of(to_html(one_layer(fine)))["layers"][0]["name"], fine);
  const std::string long_name(1 << 20, 'x');
  EXPECT_LT(to_html(one_layer(long_name)).size(), 200'000u);
}

TEST(page, nothing_runs_but_its_script) {
  // Digests of "" and "abc": FIPS 180-4's, in base64.
  EXPECT_EQ(policy_hash(""), "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='");
  EXPECT_EQ(policy_hash("abc"), "'sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0='");
  const std::string html = to_html(one_layer("x"));
  expect_self_contained(html);
  EXPECT_EQ(count(html, "default-src 'none'"), 1u);
  const std::string open = "<script type=\"module\">";
  const std::size_t at = html.find(open) + open.size();
  EXPECT_EQ(count(html, policy_hash(html.substr(at, html.find("</script>", at) - at))), 1u);
}

TEST(page, a_hundred_layers_of_a_million_differing_elements_stay_below_three_megabytes) {
  std::mt19937 random(7);
  page p = one_layer("layer");
  for (int k = 0; k < 100; ++k) {
    recording a, b;
    array values{element_type::int8, {1, 10, 10, 100}, std::vector<std::byte>(10'000)};
    for (recording* r : {&a, &b}) {
      for (std::byte& v : values.data) v = static_cast<std::byte>(random() & 0xFF);
      r->append(values);
    }
    page_layer l = p.layers[0];
    l.picture = picture_of(a, {}, b, {});
    p.layers.push_back(l);
  }
  EXPECT_LT(to_html(p).size(), 3'000'000u);
}

TEST(page, a_place_that_cannot_be_written_is_refused) {
  const test::temporary_folder folder;
  const status s = write_page_file(folder.path() / "absent" / "page.html", one_layer("x"));
  ASSERT_FALSE(s);
  EXPECT_NE(s.error().text.find("page.html"), std::string::npos) << s.error().text;
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

/// CONV_2D and RELU of the small model on a grid whose ReLU6 is the codes [-15, 12].
graph::model clamped_model() {
  test::tflite_description m = test::small_convolution();
  for (const std::size_t t : {std::size_t{3}, std::size_t{4}}) {
    m.tensors[t].scales = {0.2222F};
    m.tensors[t].zero_points = {-15};
  }
  m.tensors[3].name = "</script><img src=x onerror=alert(1)>";
  return *graph::read_tflite(test::shared_bytes(test::tflite_builder::build(m)), "clamped.tflite");
}

array codes(const shape& extents, const std::vector<std::int8_t>& list) {
  array a{element_type::int8, extents, std::vector<std::byte>(list.size())};
  for (std::size_t i = 0; i < list.size(); ++i) a.data[i] = static_cast<std::byte>(list[i]);
  return a;
}

TEST(page, of_a_comparison_opens_at_the_first_segment_to_part) {
  const graph::model m = clamped_model();
  const test::temporary_folder folder;
  const auto write = [&](const char* name, std::int8_t last) {
    dump_writer w = *dump_writer::create(folder.path() / name, m, "", "");
    EXPECT_TRUE(w.add(0, codes({1, 4, 4, 2}, std::vector<std::int8_t>(32, 1))));
    std::vector<std::int8_t> values{-15, -14, -13, 0, last, 1, 2, 3, 4, 5, 6, 7};
    EXPECT_TRUE(w.add(3, codes({1, 2, 2, 3}, values)));
    EXPECT_TRUE(w.add(4, codes({1, 2, 2, 3}, values)));
    EXPECT_TRUE(w.finish());
    return *dump::open(folder.path() / name);
  };
  const dump reference = write("ref", 12), test = write("test", 96);
  const comparison c = *compare_dumps(reference, test, {&m, nullptr});
  const result<page> p = page_of(c, reference, test, &m);
  ASSERT_TRUE(p) << p.error().text;
  ASSERT_EQ(p->layers.size(), 2u);
  EXPECT_EQ(p->first, 0u);
  EXPECT_NE(p->sentence.find("Operator 0 CONV_2D, tensor 3 "), std::string::npos) << p->sentence;
  const page_layer& l = p->layers[0];
  EXPECT_EQ(p->marks[l.mark].name, "UNDETERMINED");
  EXPECT_EQ(p->marks[l.mark].letter, 'U');
  // One of 12 elements is 84 codes away.
  EXPECT_DOUBLE_EQ(l.height, std::sqrt(84.0 * 84.0 / 12));
  ASSERT_EQ(l.lines.size(), 2u);
  EXPECT_EQ(l.lines[0].at, -15);
  EXPECT_EQ(l.lines[1].at, 12);
  EXPECT_EQ(l.picture->test.high, 96);
  EXPECT_EQ(l.picture->channel_mismatches, (std::vector<std::int64_t>{0, 1, 0}));
  std::string facts;
  for (const page_fact& f : l.facts) facts += f.name + " " + f.value + "\n";
  EXPECT_NE(facts.find("First difference at [0,0,1,1]\n"), std::string::npos) << facts;
  EXPECT_NE(facts.find("TEST int8[1,2,2,3], scale 0.222200006, zero point -15\n"),
            std::string::npos)
      << facts;
  EXPECT_NE(facts.find("Outside the fused activation 1\n"), std::string::npos) << facts;
  const std::string html = to_html(*p);
  EXPECT_EQ(count(html, "<img"), 0u);
  expect_self_contained(html);
  const json drawn = data_of(html)["layers"][0]["picture"];
  // One element is 84 away, in steps of 3: bin 28, behind 11 equal ones.
  EXPECT_EQ(drawn["steps"]["first"], 0);
  EXPECT_EQ(drawn["steps"]["counts"].size(), 29u);
  EXPECT_EQ(drawn["steps"]["counts"][0], 11);
  EXPECT_EQ(drawn["steps"]["counts"][28], 1);
  // From -15 to 96 there are 112 codes: three a cell, 38 cells. TEST 96 against REF 12 is row 37, column 9.
  const json& cells = drawn["scatter"];
  std::size_t at = 0;
  for (std::size_t i = 0; i + 1 < cells.size(); i += 2) at += cells[i].get<std::size_t>();
  EXPECT_EQ(at, 37u * 38 + 9);
  // Another's words for a comparison of other things.
  comparison_words words;
  words.title = "bittwin drift";
  words.reference = "old";
  words.sentence = "moved";
  const page drift = *page_of(c, reference, test, &m, words);
  EXPECT_EQ(drift.sentence, "moved");
  EXPECT_EQ(data_of(to_html(drift))["layers"][0]["picture"]["sides"][0]["name"], "old");
  // The same on both sides.
  const comparison same = *compare_dumps(reference, reference, {&m, nullptr});
  const page quiet = *page_of(same, reference, reference, &m);
  EXPECT_FALSE(quiet.first);
  EXPECT_EQ(quiet.sentence, "All 2 segments are the same in every element");
  EXPECT_EQ(quiet.layers[0].height, 0);
}

TEST(page, of_an_audit_opens_at_the_first_exposed_clamp) {
  const graph::model m = clamped_model();
  const page p = page_of(m, audit(m));
  ASSERT_EQ(p.layers.size(), 2u);
  EXPECT_EQ(p.first, 0u);
  const page_layer& l = p.layers[0];
  EXPECT_EQ(p.marks[l.mark].name, "CLAMP_EXPOSED");
  EXPECT_EQ(l.type, (code_range{-128, 127}));
  ASSERT_EQ(l.lines.size(), 2u);
  EXPECT_EQ(l.lines[1].text, "upper bound of relu6: code 12");
  EXPECT_EQ(l.height, static_cast<double>(l.findings.size()));
  EXPECT_EQ(count(to_html(p), "<img"), 0u);
}

TEST(page, of_a_run_counts_elements_at_the_ends_of_the_activation) {
  const graph::model m = clamped_model();
  run_page pages(m, "tflite-reference", {});
  pages.add(0, 3, codes({1, 2, 2, 3}, {-15, -15, 12, 0, 1, 2, 3, 4, 5, 6, 7, 8}), "xnnpack");
  pages.add(1, 4, codes({1, 2, 2, 3}, std::vector<std::int8_t>(12, 5)), "xnnpack");
  const page& p = pages.finish();
  EXPECT_EQ(p.layers[0].height, 3.0 / 12);
  EXPECT_EQ(p.marks[p.layers[0].mark].name, "RAN");
  EXPECT_EQ(p.marks[p.layers[1].mark].name, "CONSTANT");
  EXPECT_EQ(p.sentence,
            "clamped.tflite ran under tflite-reference: 2 tensors made, 1 of them constant");
  expect_self_contained(to_html(p));
}

}  // namespace
