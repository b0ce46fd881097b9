// SPDX-License-Identifier: Apache-2.0
// --html: pages of run, audit and compare as a browser and a keyboard see them. Without Chromium the files alone are
// looked at.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <bittwin/graph/file.hpp>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include "support/browser.hpp"
#include "support/tflite_builder.hpp"
#include "support/tool_program.hpp"

namespace {

using namespace bittwin;
namespace fs = std::filesystem;

const std::string hostile = "</script><img src=x onerror=document.title='broken'>";

class tool_page : public test::tool_program {
 protected:
  void SetUp() override {
    test::tool_program::SetUp();
    test::tflite_description m = test::small_convolution();
    m.tensors[3].name = hostile;
    for (const std::size_t t : {std::size_t{3}, std::size_t{4}}) m.tensors[t].zero_points = {-28};
    ASSERT_TRUE(graph::write_file(path("hostile.tflite"), test::tflite_builder::build(m)));
  }
  [[nodiscard]] fs::path path(const std::string& name) const { return folder_.path() / name; }
  int run(const std::string& arguments) {
    const std::string command =
        "cd '" + folder_.path().string() + "' && '" + program_ + "' " + arguments + " >.out 2>.err";
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  [[nodiscard]] std::string text(const std::string& name) const {
    const auto bytes = graph::read_file(path(name));
    return bytes ? std::string(reinterpret_cast<const char*>((*bytes)->data()), (*bytes)->size())
                 : std::string();
  }
  void write_pages() {
    EXPECT_EQ(run("run hostile.tflite --dump a --html run.html"), 0) << text(".err");
    EXPECT_EQ(run("run hostile.tflite --seed 1 --dump b"), 0);
    EXPECT_EQ(run("audit hostile.tflite --html audit.html"), 1) << text(".err");
    EXPECT_EQ(run("compare a b --model hostile.tflite --html compare.html"), 1) << text(".err");
  }
};

TEST_F(tool_page, is_one_file_that_refers_to_nothing) {
  write_pages();
  for (const char* name : {"run.html", "audit.html", "compare.html"}) {
    const std::string html = text(name);
    EXPECT_TRUE(html.starts_with("<!DOCTYPE html>")) << name;
    EXPECT_TRUE(html.ends_with("</html>\n")) << name;
    for (const char* piece : {"http:", "https:", "<img", "<iframe"})
      EXPECT_EQ(html.find(piece), std::string::npos) << name << " " << piece;
  }
  EXPECT_FALSE(fs::exists(path("run.html.part")));
}

TEST_F(tool_page, is_refused_where_it_cannot_be_written_and_nothing_else_is_left) {
  EXPECT_EQ(run("run hostile.tflite --dump d --html absent/run.html"), 2);
  EXPECT_NE(text(".err").find("absent/run.html"), std::string::npos) << text(".err");
  EXPECT_FALSE(fs::exists(path("d")));
  EXPECT_EQ(run("audit hostile.tflite --html absent/x.html"), 2);
  EXPECT_EQ(text(".out"), "");
}

class tool_page_in_chromium : public tool_page {
 protected:
  void SetUp() override {
    tool_page::SetUp();
    if (IsSkipped()) return;
    const std::string chromium = test::browser::find();
    if (chromium.empty()) GTEST_SKIP() << "no chromium, chromium-browser or google-chrome in PATH";
    fs::create_directory(path("profile"));
    browser_ = std::make_unique<test::browser>(chromium, path("profile"));
    write_pages();
  }
  void open(const std::string& name) { browser_->open("file://" + path(name).string()); }
  std::string value(const std::string& expression) {
    const test::browser::json found = browser_->evaluate(expression);
    return found.is_string() ? found.get<std::string>() : found.dump();
  }

  std::unique_ptr<test::browser> browser_;
};

TEST_F(tool_page_in_chromium, loads_nothing_and_has_nothing_to_complain_of) {
  for (const char* name : {"run.html", "audit.html", "compare.html"}) {
    open(name);
    EXPECT_EQ(value("document.querySelectorAll('#strip button').length"), "2") << name;
    // Every layer is opened once, and all its numbers.
    for (const char* layer : {"0", "1"}) {
      value(std::string("location.hash = 'layer-") + layer + "'");
      value("new Promise((done) => setTimeout(done, 50))");
      value("document.querySelectorAll('details').forEach((d) => { d.open = true; })");
      value("new Promise((done) => setTimeout(done, 50))");
      EXPECT_EQ(value("document.querySelectorAll('#layer figure').length"),
                value("document.querySelectorAll('#layer figure table').length"));
      EXPECT_NE(value("document.querySelector('#layer h2').textContent"), "") << name << layer;
    }
    EXPECT_EQ(value("document.querySelectorAll('img').length"), "0") << name;
    EXPECT_EQ(value("document.title").find("bittwin"), 0u) << name;
  }
  EXPECT_TRUE(browser_->complaints.empty()) << browser_->complaints.front();
  ASSERT_EQ(browser_->requests.size(), 3u);
  for (const std::string& address : browser_->requests)
    EXPECT_TRUE(address.starts_with("file://") && address.ends_with(".html")) << address;
}

TEST_F(tool_page_in_chromium, shows_a_hostile_name_as_text) {
  open("run.html");
  value("location.hash = 'layer-0'");
  value("new Promise((done) => setTimeout(done, 50))");
  EXPECT_EQ(value("document.querySelector('#layer h2').textContent"),
            "operator 0 CONV_2D \xE2\x80\x94 " + hostile);
  EXPECT_EQ(value("document.querySelector('table.layers bdi').textContent"), hostile);
}

TEST_F(tool_page_in_chromium, is_used_with_keys_alone) {
  open("run.html");
  const std::string focused =
      "[...document.querySelectorAll('#strip button')]"
      ".indexOf(document.activeElement)";
  const std::string layer =
      "document.getElementById('layer').hidden ? '' : "
      "document.querySelector('#layer h2').textContent.slice(0, 10)";
  EXPECT_EQ(value(layer), "");
  browser_->press("Tab", 9);
  EXPECT_EQ(value(focused), "0") << "the strip is the first stop";
  browser_->press("ArrowRight", 39);
  EXPECT_EQ(value(focused), "1");
  browser_->press("ArrowRight", 39);
  EXPECT_EQ(value(focused), "1") << "there is no third";
  browser_->press("Home", 36);
  EXPECT_EQ(value(focused), "0");
  browser_->press("End", 35);
  EXPECT_EQ(value(layer), "") << "moving opens nothing";
  browser_->press("Enter", 13);
  EXPECT_EQ(value(layer), "operator 1");
  EXPECT_EQ(value("document.querySelectorAll('#strip [aria-expanded=true]').length"), "1");
  EXPECT_EQ(value(focused), "1") << "the keys stay on the strip";
  browser_->press("ArrowLeft", 37);
  browser_->press("Enter", 13);
  EXPECT_EQ(value(layer), "operator 0");
  browser_->press("Tab", 9);
  EXPECT_EQ(value("document.activeElement.closest('#layer') !== null"), "true");
  browser_->press("Escape", 27);
  EXPECT_EQ(value(layer), "");
  EXPECT_EQ(value(focused), "0") << "back where it was opened";
  EXPECT_TRUE(browser_->complaints.empty()) << browser_->complaints.front();
}

TEST_F(tool_page_in_chromium, is_drawn_in_the_colours_that_the_reader_asks_for) {
  open("compare.html");
  const auto ground = [&](const char* scheme) {
    browser_->call("Emulation.setEmulatedMedia",
                   {{"features", {{{"name", "prefers-color-scheme"}, {"value", scheme}}}}});
    return value("getComputedStyle(document.body).backgroundColor");
  };
  EXPECT_EQ(ground("light"), "rgb(255, 255, 255)");
  EXPECT_EQ(ground("dark"), "rgb(20, 22, 26)");
  // Narrow: nothing but the strip and tables is wider than the window.
  browser_->call("Emulation.setDeviceMetricsOverride",
                 {{"width", 360}, {"height", 740}, {"deviceScaleFactor", 1}, {"mobile", true}});
  EXPECT_EQ(value("document.documentElement.scrollWidth <= 360"), "true");
}

}  // namespace
