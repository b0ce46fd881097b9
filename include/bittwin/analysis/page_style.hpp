// SPDX-License-Identifier: Apache-2.0
// How a page looks: light and dark, wide and narrow. Part of page_functions.hpp.
#pragma once

#include <string_view>

namespace bittwin::analysis::inline v1 {

namespace detail {

/// --ink-N: the members of page_ink in their order.
inline constexpr std::string_view page_style = R"css(
:root {
  color-scheme: light dark;
  --ground: #ffffff; --raised: #f4f5f7; --text: #16181d; --quiet: #555b66; --rule: #c9cdd4;
  --accent: #0b5cad; --stripe: rgba(0, 0, 0, .42);
  --ink-0: #009e73; --ink-1: #56b4e9; --ink-2: #0072b2; --ink-3: #cc79a7;
  --ink-4: #d55e00; --ink-5: #e69f00; --ink-6: #e0cf00; --ink-7: #9aa0aa;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14161a; --raised: #1e2127; --text: #eceef2; --quiet: #a9b0bc; --rule: #444b57;
    --accent: #7fbcff; --stripe: rgba(0, 0, 0, .5);
    --ink-0: #1fbf92; --ink-1: #6fc3f2; --ink-2: #3c9bdc; --ink-3: #dc94ba;
    --ink-4: #f0772a; --ink-5: #efb23a; --ink-6: #f0e442; --ink-7: #8a919d;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 1.2rem clamp(.8rem, 3vw, 2.5rem) 3rem; max-width: 84rem;
  background: var(--ground); color: var(--text); font: 15px/1.5 system-ui, sans-serif;
}
h1 { margin: .2rem 0 1rem; font-size: clamp(1.15rem, 2.4vw, 1.6rem); line-height: 1.3; font-weight: 650; }
h2 { margin: 2rem 0 .4rem; font-size: 1.1rem; }
p { margin: .3rem 0; }
h1, h2, p, dd, td, li { overflow-wrap: anywhere; }
.quiet { color: var(--quiet); }
.kind { color: var(--quiet); font-weight: 600; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }

dl.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); gap: .5rem 1.5rem; margin: 0; }
dl.facts dt { color: var(--quiet); font-size: .85rem; }
dl.facts dd { margin: 0; font-variant-numeric: tabular-nums; }
ul.notes { margin: 1rem 0 0; padding: 0; list-style: none; }
ul.notes li { padding: .35rem .7rem; margin: .3rem 0; border-left: 4px solid var(--rule); background: var(--raised); }
ul.notes li.code { border-left-color: var(--ink-4); }
ul.notes b { margin-right: .6rem; }

ul.legend { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; margin: .4rem 0; padding: 0; list-style: none; font-size: .88rem; }
.swatch { display: inline-block; width: 1rem; height: 1rem; vertical-align: -.15rem; margin-right: .3rem; border: 1px solid var(--rule); }
.letter { font: 600 11px/1.3 ui-monospace, monospace; }

#strip { display: flex; height: 12.5rem; margin: .5rem 0 0; padding: 4px; overflow-x: auto; border: 1px solid var(--rule); background: var(--raised); }
#strip button {
  flex: 1 0 14px; max-width: 44px; display: flex; flex-direction: column; padding: 0 1px;
  border: 0; background: none; color: inherit; cursor: pointer;
}
#strip button:hover, #strip button[aria-expanded="true"] { background: var(--rule); }
#strip .column { flex: 1; display: flex; align-items: flex-end; min-height: 0; width: 100%; }
#strip .bar { width: 100%; min-height: 3px; }
#strip .letter { width: 100%; text-align: center; }
#strip button:focus-visible { outline-offset: -3px; }
#hint { min-height: 3em; }

.ink-0 { background-color: var(--ink-0); }
.ink-1 { background-color: var(--ink-1); background-image: radial-gradient(var(--stripe) 1px, transparent 1.5px); background-size: 6px 6px; }
.ink-2 { background-color: var(--ink-2); background-image: repeating-linear-gradient(0deg, var(--stripe) 0 2px, transparent 2px 7px); }
.ink-3 { background-color: var(--ink-3); background-image: repeating-linear-gradient(90deg, var(--stripe) 0 2px, transparent 2px 5px); }
.ink-4 { background-color: var(--ink-4); background-image: repeating-linear-gradient(45deg, var(--stripe) 0 2px, transparent 2px 6px); }
.ink-5 { background-color: var(--ink-5); background-image: repeating-linear-gradient(-45deg, var(--stripe) 0 2px, transparent 2px 6px); }
.ink-6 { background-color: var(--ink-6); background-image: repeating-linear-gradient(45deg, var(--stripe) 0 1px, transparent 1px 5px), repeating-linear-gradient(-45deg, var(--stripe) 0 1px, transparent 1px 5px); }
.ink-7 { background-color: var(--ink-7); }

#layer { margin-top: 1rem; padding: .2rem 1rem 1rem; border: 1px solid var(--rule); }
#layer h2 { margin-top: .8rem; }
#layer nav { display: flex; gap: .5rem; margin: .6rem 0; flex-wrap: wrap; }
#layer nav button { padding: .3rem .8rem; border: 1px solid var(--rule); border-radius: 4px; background: var(--raised); color: inherit; font: inherit; cursor: pointer; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: 1rem 2rem; margin-top: 1rem; }
figure { margin: 0; min-width: 0; }
figcaption { font-weight: 600; }
figure svg { display: block; width: 100%; max-width: 30rem; height: auto; margin: .3rem 0; }
figure .says { color: var(--quiet); font-size: .88rem; }
svg text { fill: var(--text); font: 11px system-ui, sans-serif; }
svg .axis { stroke: var(--quiet); fill: none; }
svg .span { fill: var(--rule); opacity: .55; }
svg .mark { stroke: var(--text); stroke-dasharray: 5 3; }
svg .reference { fill: var(--ink-2); }
svg .test { fill: var(--ink-5); }
svg .equal { fill: var(--ink-2); }
svg .differs { fill: var(--ink-4); }

.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .7rem .25rem 0; border-bottom: 1px solid var(--rule); text-align: left; vertical-align: top; }
td:nth-child(4) { white-space: nowrap; }
details table { width: auto; }
details .scroll { max-height: 18rem; overflow-y: auto; }
@media print { #strip, #layer nav { display: none; } }
)css";

}  // namespace detail

}  // namespace bittwin::analysis::inline v1
