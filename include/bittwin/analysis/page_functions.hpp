// SPDX-License-Identifier: Apache-2.0
// How a page is written: compiled once, with bittwin::analysis. Pictures are JSON data that the page's script draws; all
// else stands in the HTML and is read without it.
#pragma once

#include <algorithm>
#include <bittwin/analysis/html_text.hpp>
#include <bittwin/analysis/page.hpp>
#include <bittwin/analysis/page_plots.hpp>
#include <bittwin/analysis/page_script.hpp>
#include <bittwin/analysis/page_style.hpp>
#include <bittwin/graph/file.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <utility>

namespace bittwin::analysis::inline v1 {

namespace detail {

class page_writer {
 public:
  explicit page_writer(const page& p) : page_(p) {}

  [[nodiscard]] std::string run() {
    const std::string script = std::string(page_plots) + std::string(page_script);
    // Nothing may load, and nothing may run but the one script, whatever a name slipped past the escapes.
    html_ =
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
        "img-src data:; base-uri 'none'; form-action 'none'; script-src " +
        policy_hash(script) + "; style-src " + policy_hash(page_style) +
        "\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"color-scheme\" content=\"light dark\">\n"
        "<link rel=\"icon\" href=\"data:,\">\n<title>" +
        html(page_.title) + "</title>\n<style>" + std::string(page_style) +
        "</style>\n</head>\n<body>\n";
    write_top();
    write_strip();
    write_table();
    html_ +=
        "</main>\n<svg id=\"svg\" hidden></svg>\n<script type=\"application/json\" id=\"data\">" +
        escape_script_data(data().dump(-1, ' ', true)) + "</script>\n<script type=\"module\">" +
        script + "</script>\n</body>\n</html>\n";
    return std::move(html_);
  }

 private:
  using json = nlohmann::ordered_json;
  static constexpr std::size_t longest_name = 240, longest_text = 4000;  // bytes
  static constexpr std::string_view dash = "\xE2\x80\x94";

  /// What the page says is put together from names of a file: all of it is taken for such.
  static std::string shown(std::string_view text) { return shown_text(text, longest_text); }
  static std::string html(std::string_view text) { return escape_html(shown(text)); }

  void write_top() {
    html_ += "<header>\n<p class=\"kind\">" + html(page_.title) + "</p>\n<h1>" +
             html(page_.sentence) + "</h1>\n<dl class=\"facts\">\n";
    for (const page_fact& f : page_.facts)
      html_ += "<div><dt>" + html(f.name) + "</dt><dd>" + html(f.value) + "</dd></div>\n";
    html_ += "</dl>\n<ul class=\"notes\">\n";
    for (const finding& f : page_.notes)
      html_ += (f.code.empty() ? "<li>" : "<li class=\"code\"><b>" + html(f.code) + "</b>") +
               html(f.text) + "</li>\n";
    html_ += "</ul>\n</header>\n<main>\n";
  }

  void write_strip() {
    html_ += "<h2 id=\"layers\">Layers in execution order</h2>\n<p class=\"quiet\">Height: " +
             html(page_.height) +
             ". Click a bar, or press Enter on it, to open the layer; arrow keys, Home and End "
             "move along, Escape closes.</p>\n<ul class=\"legend\">\n";
    for (const page_mark& m : page_.marks)
      html_ += "<li><span class=\"swatch ink-" + std::to_string(static_cast<int>(m.ink)) +
               "\"></span><b>" + html({&m.letter, 1}) + "</b> " + html(m.name) +
               " <span class=\"quiet\">" + html(m.meaning) + "</span></li>\n";
    html_ +=
        "</ul>\n<div id=\"strip\" role=\"toolbar\" aria-labelledby=\"layers\"></div>\n"
        "<p id=\"hint\" class=\"quiet\" aria-hidden=\"true\"></p>\n"
        "<p id=\"status\" role=\"status\" class=\"hidden\"></p>\n"
        "<noscript><p>The pictures need JavaScript; the table below holds the verdicts "
        "without it.</p></noscript>\n<section id=\"layer\" aria-label=\"Layer\" "
        "hidden></section>\n";
  }

  void write_table() {
    html_ +=
        "<h2>All layers</h2>\n<div class=\"scroll\">\n<table class=\"layers\">\n<thead><tr>"
        "<th scope=\"col\">#</th><th scope=\"col\">Layer</th><th scope=\"col\">Tensor</th>"
        "<th scope=\"col\">Verdict</th><th scope=\"col\">What was "
        "seen</th></tr></thead>\n<tbody>\n";
    for (std::size_t k = 0; k < page_.layers.size(); ++k) {
      const page_layer& l = page_.layers[k];
      const page_mark& m = page_.marks[l.mark];
      html_ += "<tr><td>" + std::to_string(k) + "</td><th scope=\"row\"><a href=\"#layer-" +
               std::to_string(k) + "\">" + html(l.label) + "</a></th><td><bdi>" + html(name(l)) +
               "</bdi></td><td>" + html({&m.letter, 1}) + " " + html(m.name) + "</td><td>" +
               html(l.summary);
      for (const finding& f : l.findings)
        html_ += "<br><b>" + html(f.code) + "</b> " + html(f.text);
      html_ += "</td></tr>\n";
    }
    html_ += "</tbody>\n</table>\n</div>\n";
  }

  static std::string name(const page_layer& l) {
    const std::string text = shown_text(l.name, longest_name);
    return text.empty() ? std::string(dash) : text;
  }

  /// Six digits: more than a drawing shows. Integers stay whole.
  static json number(double x) {
    if (!std::isfinite(x)) return nullptr;
    if (x == std::floor(x) && std::fabs(x) < 0x1p53) return static_cast<std::int64_t>(x);
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", x);
    return std::strtod(text, nullptr);
  }
  static json numbers(const std::vector<double>& list) {
    json to = json::array();
    for (const double x : list) to.push_back(number(x));
    return to;
  }

  static json pairs(const std::vector<page_fact>& facts) {
    json to = json::array();
    for (const page_fact& f : facts) to.push_back({shown(f.name), shown(f.value)});
    return to;
  }
  static json pairs(const std::vector<finding>& findings) {
    json to = json::array();
    for (const finding& f : findings) to.push_back({shown(f.code), shown(f.text)});
    return to;
  }

  static json bins(const binning& b) {
    return {{"low", number(b.low)}, {"width", number(b.width)}, {"bins", b.bins}};
  }

  /// Occupied cells alone, as [distance to the one before, count, ...]: of an exact layer few are.
  static json sparse(const std::vector<std::int64_t>& cells) {
    json to = json::array();
    std::size_t before = 0;
    for (std::size_t i = 0; i < cells.size(); ++i)
      if (cells[i] != 0) {
        to.push_back(i - before);
        to.push_back(cells[i]);
        before = i;
      }
    return to;
  }

  /// Without the empty bins at either end.
  static json steps(const tensor_picture& p) {
    constexpr int zero = tensor_picture::most_steps;
    const auto occupied = [](std::int64_t count) { return count != 0; };
    const auto first = std::find_if(p.steps.begin(), p.steps.begin() + zero, occupied);
    const auto end = std::find_if(p.steps.rbegin(), p.steps.rbegin() + zero, occupied).base();
    return {{"width", number(p.step_width)},
            {"first", first - p.steps.begin() - zero},
            {"counts", std::vector<std::int64_t>(first, end)}};
  }

  [[nodiscard]] json picture(const tensor_picture& p) const {
    json to{{"codes", p.codes},
            {"elements", p.elements},
            {"skipped", p.skipped},
            {"values", bins(p.values)}};
    const auto side = [&](const std::string& name, const tensor_picture::side& s) {
      to["sides"].push_back({{"name", shown(name)},
                             {"low", number(s.low)},
                             {"high", number(s.high)},
                             {"counts", s.counts}});
    };
    to["sides"] = json::array();
    if (p.values.bins == 0) return to;
    side(page_.reference, p.reference);
    if (!p.pair) {
      to["channels"] = {{"group", p.channel_group},
                        {"low", numbers(p.channel_low)},
                        {"high", numbers(p.channel_high)}};
      return to;
    }
    side(page_.test, p.test);
    to["cells"] = bins(p.cells);
    to["scatter"] = sparse(p.scatter);
    to["steps"] = steps(p);
    to["channels"] = {{"group", p.channel_group},
                      {"mismatches", p.channel_mismatches},
                      {"largest", numbers(p.channel_largest)}};
    return to;
  }

  [[nodiscard]] json layer(const page_layer& l) const {
    json to{{"label", shown(l.label)},
            {"name", name(l)},
            {"mark", l.mark},
            {"height", number(std::isfinite(l.height) ? l.height : 0)},
            {"summary", shown(l.summary)}};
    if (!l.facts.empty()) to["facts"] = pairs(l.facts);
    if (!l.findings.empty()) to["findings"] = pairs(l.findings);
    if (l.type) to["type"] = {l.type->low, l.type->high};
    for (const page_line& line : l.lines)
      to["lines"].push_back({{"at", number(line.at)}, {"text", shown(line.text)}});
    if (l.picture) to["picture"] = picture(*l.picture);
    return to;
  }

  [[nodiscard]] json data() const {
    json to{{"reference", shown(page_.reference)},
            {"test", shown(page_.test)},
            {"logarithmic", page_.logarithmic}};
    if (page_.first) to["first"] = *page_.first;
    to["marks"] = json::array();
    for (const page_mark& m : page_.marks)
      to["marks"].push_back({{"name", shown(m.name)},
                             {"letter", shown({&m.letter, 1})},
                             {"ink", static_cast<int>(m.ink)}});
    to["layers"] = json::array();
    for (const page_layer& l : page_.layers) to["layers"].push_back(layer(l));
    return to;
  }

  const page& page_;
  std::string html_;
};

}  // namespace detail

std::string to_html(const page& p) { return detail::page_writer(p).run(); }

status write_page_file(const std::filesystem::path& path, const page& p) {
  const std::string text = to_html(p);
  return graph::write_file(path, std::as_bytes(std::span<const char>(text)));
}

}  // namespace bittwin::analysis::inline v1
