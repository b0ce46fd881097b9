// SPDX-License-Identifier: Apache-2.0
// What a page does: the strip of layers, its keys, and the layer that is open. Behind page_plots in one script; part of
// page_functions.hpp.
#pragma once

#include <string_view>

namespace bittwin::analysis::inline v1 {

namespace detail {

inline constexpr std::string_view page_script = R"js(
const data = JSON.parse(document.getElementById("data").textContent);

// The axis of values: what was seen, what the type can hold where that is not far more, and the bounds of the activation.
function axisOf(layer, picture) {
  const seen = picture ? picture.sides.flatMap((s) => [s.low, s.high]) : [];
  const lines = (layer.lines || []).map((line) => line.at);
  let low = Math.min(...seen, ...lines), high = Math.max(...seen, ...lines);
  if (layer.type) {
    const [least, most] = layer.type;
    const far = seen.length > 0 && most - least > 255 && most - least > 4 * (high - low);
    if (!far) { low = Math.min(low, least); high = Math.max(high, most); }
  }
  if (!(low < high)) { low -= 1; high += 1; }
  return {low, high};
}

// What each side holds, REF above and TEST below, with the bounds drawn in; of a model alone: the bounds.
function ranges(layer, picture) {
  const {low, high} = axisOf(layer, picture);
  const codes = picture ? picture.codes : true;
  const sides = picture ? picture.sides : [];
  const wide = 460, top = 20 + 14 * (layer.lines || []).length, height = 84, unit = codes ? 0.5 : 0;
  const at = (v) => (v - low + unit) / (high - low + 2 * unit) * wide;
  const bottom = top + height * Math.max(sides.length, 1) + (sides.length > 1 ? 6 : 0);
  const svg = draw("svg", {viewBox: `0 0 ${wide} ${bottom + 18}`});
  if (layer.type && layer.type[0] >= low && layer.type[1] <= high)
    svg.append(titled(draw("rect", {x: at(layer.type[0] - unit), y: top, height: bottom - top, class: "span",
      width: at(layer.type[1] + unit) - at(layer.type[0] - unit)}), "codes of the type"));
  const most = largestOf(sides.flatMap((s) => s.counts));
  sides.forEach((side, s) => {
    const base = top + height;  // of both sides: REF grows up from it, TEST down
    side.counts.forEach((count, k) => {
      if (count === 0) return;
      const from = picture.values.low + k * picture.values.width - unit;
      const x = Math.max(at(from), 0), tall = (height - 4) * logarithm(count, most);
      svg.append(titled(draw("rect", {x, y: s === 0 ? base - tall : base + 6, height: tall,
        width: Math.max(Math.min(at(from + picture.values.width), wide) - x - 0.2, 0.8), class: s === 0 ? "reference" : "test"}),
        `${side.name} ${binName(picture.values, k, codes)}: ${grouped(count)}`));
    });
  });
  if (sides.length > 1) svg.append(text(3, top + 13, "start", data.reference), text(3, bottom - 5, "start", data.test));
  (layer.lines || []).forEach((line, k) => {
    const x = at(line.at), y = 12 + 14 * k;
    svg.append(draw("line", {x1: x, x2: x, y1: y + 3, y2: bottom, class: "mark"}),
      text(x > wide / 2 ? x - 3 : x + 3, y, x > wide / 2 ? "end" : "start", line.text));
  });
  svg.append(draw("line", {x1: 0, x2: wide, y1: bottom, y2: bottom, class: "axis"}),
    text(0, bottom + 14, "start", value(low, codes)), text(wide, bottom + 14, "end", value(high, codes)));
  const said = sides.map((s) => `${s.name} from ${value(s.low, codes)} to ${value(s.high, codes)}`);
  said.push(...(layer.lines || []).map((line) => line.text));
  return figure(codes ? "Codes" : "Reals", `${said.join("; ")}.${sides.length > 1 ?
    ` ${data.reference} above, ${data.test} below.` : ""}`, svg, ["value", ...sides.map((s) => s.name)],
    () => (sides[0] ? sides[0].counts : []).map((_, k) => [binName(picture.values, k, codes), ...sides.map((s) => s.counts[k])])
      .filter((row) => row.slice(1).some((count) => count > 0)));
}

// Of one recording: the lowest and highest of each channel.
function channelRanges(layer, picture) {
  const {group, low, high} = picture.channels, codes = picture.codes;
  const {low: least, high: most} = axisOf({lines: layer.lines}, picture);
  const wide = 460, height = 190, step = wide / low.length;
  const svg = draw("svg", {viewBox: `0 0 ${wide} ${height + 20}`});
  const y = (v) => height - (v - least) / (most - least) * height;
  const name = (k) => group === 1 ? `channel ${k}` : `channels ${k * group} to ${(k + 1) * group - 1}`;
  low.forEach((_, k) => {
    if (low[k] === null) return;
    svg.append(titled(draw("rect", {x: (k + 0.06) * step, width: 0.88 * step, y: y(high[k]) - 1, class: "reference",
      height: y(low[k]) - y(high[k]) + 2}), `${name(k)}: ${value(low[k], codes)} to ${value(high[k], codes)}`));
  });
  for (const line of layer.lines || [])
    svg.append(titled(draw("line", {x1: 0, x2: wide, y1: y(line.at), y2: y(line.at), class: "mark"}), line.text));
  svg.append(text(0, height + 15, "start", "channel 0"), text(wide, height + 15, "end", String((low.length - 1) * group)));
  const constant = low.filter((v, k) => v !== null && v === high[k]).length;
  return figure("Lowest and highest by channel",
    `From ${value(least, codes)} to ${value(most, codes)}; ${grouped(constant)} of ${grouped(low.length)} hold one value.`, svg,
    ["channel", "lowest", "highest"],
    () => low.map((v, k) => [name(k), v === null ? "" : value(v, codes), v === null ? "" : value(high[k], codes)]));
}

function figuresOf(layer) {
  const picture = layer.picture;
  if (!picture) return layer.lines ? [ranges(layer, null)] : [];
  if (!picture.values.bins) return [make("p", {}, "No finite values to draw.")];
  // The last bin may reach past the highest value, and past what the type can hold.
  const high = Math.max(...picture.sides.map((side) => side.high));
  for (const axis of [picture.values, picture.cells]) if (axis) axis.high = high;
  if (!picture.scatter) return [ranges(layer, picture), channelRanges(layer, picture)];
  return [scatter(layer, picture), differences(layer, picture), channels(layer, picture), ranges(layer, picture)];
}

const strip = document.getElementById("strip"), detail = document.getElementById("layer");
const hint = document.getElementById("hint"), say = document.getElementById("status");
const tallest = data.layers.reduce((most, layer) => Math.max(most, layer.height), 0);
const scaled = (h) => tallest === 0 ? 0 : data.logarithmic ? Math.log1p(100 * h) / Math.log1p(100 * tallest) : h / tallest;
const lineOf = (layer) => `${layer.label}, ${layer.name}: ${data.marks[layer.mark].name}, ${layer.summary}`;
let current = -1;  // the layer that is open

const buttons = data.layers.map((layer, k) => {
  const mark = data.marks[layer.mark];
  const bar = make("span", {class: `bar ink-${mark.ink}`});
  bar.style.height = `${(100 * scaled(layer.height)).toFixed(2)}%`;
  const button = make("button", {type: "button", tabindex: "-1", "aria-label": lineOf(layer), "aria-expanded": "false",
    "aria-controls": "layer"}, make("span", {class: "column"}, bar), make("span", {class: "letter"}, mark.letter));
  button.addEventListener("click", () => show(k));
  button.addEventListener("focus", () => tell(k));
  button.addEventListener("mouseenter", () => tell(k));
  return button;
});
strip.append(...buttons);

function tell(k) { hint.textContent = lineOf(data.layers[k]); }

// One bar at a time is in the order of the Tab key; arrows move along.
function move(k) {
  buttons.forEach((button, i) => { button.tabIndex = i === k ? 0 : -1; });
}
strip.addEventListener("keydown", (event) => {
  const at = buttons.indexOf(document.activeElement), last = buttons.length - 1;
  const to = {ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: last}[event.key];
  if (at < 0 || to === undefined) return;
  event.preventDefault();
  const k = Math.max(0, Math.min(to, last));
  move(k);
  buttons[k].focus();
});

// The address names the layer that is open: a link to it can be kept, and Back goes back.
function show(k) {
  open(k);
  location.hash = `layer-${k}`;
}
function close() {
  const k = current;
  open(-1);
  location.hash = "layers";
  buttons[k].focus();
}

function open(k) {
  if (current >= 0) buttons[current].setAttribute("aria-expanded", "false");
  current = k;
  detail.replaceChildren();
  detail.hidden = k < 0;
  if (k < 0) return;
  const layer = data.layers[k], mark = data.marks[layer.mark];
  buttons[k].setAttribute("aria-expanded", "true");
  move(k);
  tell(k);
  detail.append(
    make("h2", {}, `${layer.label} \u2014 ${layer.name}`), steps(k),
    make("p", {}, make("span", {class: `swatch ink-${mark.ink}`}), make("b", {}, `${mark.letter} ${mark.name}`), ` \u2014 ${layer.summary}`),
    make("ul", {class: "notes"}, ...(layer.findings || []).map((f) => make("li", {class: "code"}, make("b", {}, f[0]), f[1]))),
    make("dl", {class: "facts"}, ...(layer.facts || []).map((f) => make("div", {}, make("dt", {}, f[0]), make("dd", {}, f[1])))),
    make("div", {class: "figures"}, ...figuresOf(layer)));
  say.textContent = `Opened below: ${lineOf(layer)}`;
}

// The buttons of an open layer. The one that was pressed stands at the same place of the next layer, and keeps the focus.
function steps(k) {
  const button = (content, possible, act) => {
    const made = make("button", {type: "button"}, content);
    made.disabled = !possible;
    made.addEventListener("click", act);
    return made;
  };
  const go = (to, place) => () => {
    show(to);
    const again = detail.querySelectorAll("nav button")[place];
    (again.disabled ? buttons[to] : again).focus();
  };
  return make("nav", {"aria-label": "Layers"}, button("Previous layer", k > 0, go(k - 1, 0)),
    button("Next layer", k + 1 < data.layers.length, go(k + 1, 1)), button("Close", true, close));
}

function follow() {
  const named = /^#layer-(\d+)$/.exec(location.hash);
  const k = named && Number(named[1]) < data.layers.length ? Number(named[1]) : -1;
  if (k !== current) open(k);
}
addEventListener("hashchange", follow);
document.addEventListener("keydown", (event) => { if (event.key === "Escape" && current >= 0) close(); });
if (buttons.length > 0) move(0);
if (tallest > 0) hint.textContent = `The tallest bar stands for ${value(tallest, false)}.`;
if (location.hash === "" && data.first !== undefined) open(data.first);
else follow();
)js";

}  // namespace detail

}  // namespace bittwin::analysis::inline v1
