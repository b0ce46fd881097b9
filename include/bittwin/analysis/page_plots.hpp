// SPDX-License-Identifier: Apache-2.0
// The drawings of a page: functions from a layer's counts to an SVG figure with its numbers. Part of page_functions.hpp.
#pragma once

#include <string_view>

namespace bittwin::analysis::inline v1 {

namespace detail {

inline constexpr std::string_view page_plots = R"js(
// The namespace of SVG is taken from an element of the page, so that the file holds no address at all.
const svgNamespace = document.getElementById("svg").namespaceURI;

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);  // strings become text nodes: what a model calls its tensors is never markup
  return element;
}
const make = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const draw = (tag, attributes, ...children) =>
  fill(document.createElementNS(svgNamespace, tag), attributes, children);

// "53 936"
const grouped = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, "\u2009");
// Codes are integers and stay whole; of reals four digits say enough beside a drawing.
const value = (x, codes) => (codes ? String(x) : String(Number(x.toPrecision(4)))).replace("-", "\u2212");
const signed = (x, codes) => (x > 0 ? "+" : "") + value(x, codes);
// Counts differ by orders of magnitude: one wrong element must show beside a million right ones.
const logarithm = (count, most) => (count === 0 ? 0 : 0.06 + 0.94 * Math.log1p(count) / Math.log1p(most));
const largestOf = (list) => list.reduce((a, b) => Math.max(a, b), 0);
const sumOf = (list) => list.reduce((a, b) => a + b, 0);

function binName(axis, k, codes) {
  const from = axis.low + k * axis.width, to = Math.min(from + axis.width - (codes ? 1 : 0), axis.high);
  return from === to ? value(from, codes) : `${value(from, codes)} to ${value(to, codes)}`;
}

function table(head, rows) {
  const line = (cells, tag) => make("tr", {}, ...cells.map((cell) => make(tag, {}, String(cell))));
  return make("div", {class: "scroll", tabindex: "0"},
    make("table", {}, make("thead", {}, line(head, "th")), make("tbody", {}, ...rows.map((row) => line(row, "td")))));
}

// A drawing, one sentence on what it says, and its numbers, for those who do not see it or want them.
function figure(title, says, svg, head, rows) {
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", `${title}. ${says}`);
  const numbers = make("details", {}, make("summary", {}, "Numbers"));
  // Built when it is asked for: it may have hundreds of rows.
  numbers.addEventListener("toggle", () => {
    if (numbers.open && numbers.childElementCount === 1) numbers.append(table(head, rows()));
  });
  return make("figure", {}, make("figcaption", {}, title), svg, make("p", {class: "says"}, says), numbers);
}

const text = (x, y, anchor, content) => draw("text", {x, y, "text-anchor": anchor}, content);
const titled = (element, content) => (element.append(draw("title", {}, content)), element);

// REF to the right, TEST upwards; the line is where both are equal.
function scatter(layer, picture) {
  const {low, width, bins} = picture.cells, codes = picture.codes;
  const left = 46, top = 8, side = 290, step = side / bins;
  const svg = draw("svg", {viewBox: `0 0 ${left + side + 12} ${top + side + 40}`, "shape-rendering": "crispEdges"});
  const at = (v) => (v - low + (codes ? 0.5 : 0)) / width * step;
  let index = 0, most = 0;
  const cells = [];
  for (let i = 0; i < picture.scatter.length; i += 2) {
    index += picture.scatter[i];
    cells.push({ref: index % bins, test: Math.floor(index / bins), count: picture.scatter[i + 1]});
    most = Math.max(most, picture.scatter[i + 1]);
  }
  const said = (c) => [binName(picture.cells, c.ref, codes), binName(picture.cells, c.test, codes), c.count];
  for (const c of cells) {
    const [ref, test, count] = said(c);
    svg.append(titled(draw("rect", {
      x: left + c.ref * step, y: top + side - (c.test + 1) * step, width: step, height: step,
      class: c.ref === c.test ? "equal" : "differs", opacity: (0.25 + 0.75 * logarithm(c.count, most)).toFixed(2),
    }), `${data.reference} ${ref}, ${data.test} ${test}: ${grouped(count)}`));
  }
  svg.append(draw("rect", {x: left, y: top, width: side, height: side, class: "axis"}),
    draw("line", {x1: left, y1: top + side, x2: left + side, y2: top, class: "axis"}));
  for (const line of layer.lines || []) {
    const y = top + side - at(line.at);
    if (y >= top && y <= top + side)
      svg.append(titled(draw("line", {x1: left, x2: left + side, y1: y, y2: y, class: "mark"}), line.text));
  }
  svg.append(text(left, top + side + 15, "start", value(low, codes)),
    text(left + side, top + side + 15, "end", value(picture.cells.high, codes)),
    text(left + side / 2, top + side + 32, "middle", data.reference),
    text(left - 5, top + side, "end", value(low, codes)), text(left - 5, top + 10, "end", value(picture.cells.high, codes)),
    text(left - 5, top + side / 2, "end", data.test));
  const off = sumOf(cells.filter((c) => c.ref !== c.test).map((c) => c.count));
  const size = codes ? (width === 1 ? "one code" : `${width} codes`) : value(width, false);
  return figure(`${data.test} against ${data.reference}`,
    `${grouped(off)} of ${grouped(picture.elements - picture.skipped)} elements off the diagonal cells; a cell is ` +
    `${size} wide and high, stronger where more elements are.`,
    svg, [data.reference, data.test, "elements"], () => cells.map(said));
}

// Bars of counts on a logarithmic scale, each {name, count, kind, label}.
function bars(entries, wide) {
  const height = 190, top = 18, step = wide / entries.length;
  const svg = draw("svg", {viewBox: `0 0 ${wide} ${top + height + 20}`});
  const most = largestOf(entries.map((e) => e.count));
  entries.forEach((e, k) => {
    const tall = height * logarithm(e.count, most);
    svg.append(titled(draw("rect", {
      x: (k + 0.06) * step, y: top + height - tall, width: 0.88 * step, height: tall, class: e.kind,
    }), `${e.name}: ${grouped(e.count)}`));
    if (entries.length <= 13 && e.count > 0)
      svg.append(text((k + 0.5) * step, top + height - tall - 4, "middle", grouped(e.count)));
    if (e.label) svg.append(text((k + 0.5) * step, top + height + 15, e.anchor || "middle", e.label));
  });
  svg.append(draw("line", {x1: 0, x2: wide, y1: top + height, y2: top + height, class: "axis"}));
  return svg;
}

// d = TEST - REF; the bin of 0 holds what is equal and nothing else.
function differences(layer, picture) {
  const {width, first, counts} = picture.steps, codes = picture.codes;
  // The last bin may reach past the largest difference.
  const most = largestOf(picture.channels.largest), end = (k) => Math.min(Math.abs(k) * width, most);
  const name = (k) => {
    if (k === 0) return "equal";
    const far = end(k), near = (Math.abs(k) - 1) * width + (codes ? 1 : 0), sign = k < 0 ? -1 : 1;
    return near === far ? signed(sign * far, codes) : `${signed(sign * near, codes)} to ${signed(sign * far, codes)}`;
  };
  const last = first + counts.length - 1, every = counts.length <= 13;
  const entries = counts.map((count, i) => {
    const k = first + i;
    const shown = every || k === 0 || k === first || k === last;
    return {name: name(k), count, kind: k === 0 ? "equal" : "differs",
      label: !shown ? "" : k === 0 ? "0" : signed(k < 0 ? -end(k) : end(k), codes),
      anchor: every ? "middle" : k === first ? "start" : k === last ? "end" : "middle"};
  });
  const equal = first <= 0 && last >= 0 ? counts[-first] : 0;
  return figure(`${data.test} \u2212 ${data.reference}`,
    `${grouped(equal)} equal, ${grouped(sumOf(counts) - equal)} not; in ${codes ? "codes" : "reals"}, counts on a logarithmic scale.`,
    bars(entries, 460), ["difference", "elements"], () => entries.map((e) => [e.name, e.count]));
}

function channels(layer, picture) {
  const {group, mismatches, largest} = picture.channels;
  const name = (k) => group === 1 ? `channel ${k}` : `channels ${k * group} to ${(k + 1) * group - 1}`;
  const entries = mismatches.map((count, k) => ({name: name(k), count, kind: "differs",
    label: k === 0 || k === mismatches.length - 1 ? String(k * group) : "",
    anchor: k === 0 ? "start" : "end"}));
  const touched = mismatches.filter((count) => count > 0).length;
  return figure("Elements that differ, by channel",
    `${grouped(touched)} of ${grouped(entries.length)} ${group === 1 ? "channels" : `groups of ${group} channels`} ` +
    "have some; along the innermost axis, counts on a logarithmic scale.",
    bars(entries, 460), ["channel", "differ", "largest difference"],
    () => entries.map((e, k) => [e.name, e.count, value(largest[k], picture.codes)]));
}
)js";

}  // namespace detail

}  // namespace bittwin::analysis::inline v1
