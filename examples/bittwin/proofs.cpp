// SPDX-License-Identifier: Apache-2.0
// The shares of channels by what was proved of them and by the form that makes their codes.
#include "proofs.hpp"

#include <bittwin/graph/executor.hpp>
#include <map>
#include <string>

#include "limits.hpp"
#include "verb.hpp"

namespace bittwin::cli {
namespace {

graph::executor prepared(const graph::model& m, const graph::target_rules& rules) {
  return must(
      graph::executor::prepare(m, rules, graph::keep_tensors::outputs, run_limits({}).arena()));
}

}  // namespace

json proofs_json(const graph::model& m, const graph::target_rules& rules) {
  const graph::executor e = prepared(m, rules);
  json all = json::array();
  for (std::size_t k = 0; k < m.operations.size(); ++k) {
    const explanation& why = e.explain(k);
    json shares = json::object();
    for (const explanation::share& s : why.shares) shares[std::string(s.form)] = s.units;
    all.push_back({{"op", m.operations[k].label},
                   {"runs_on", simd::name_of(why.on)},
                   {"proved", why.proved},
                   {"shares", shares}});
  }
  return all;
}

void print_proofs(const graph::model& m, const graph::target_rules& rules) {
  const graph::executor e = prepared(m, rules);
  fmt::print("\nproofs under {}\n", rules.name);
  std::map<std::string, std::int64_t> channels;
  std::int64_t all = 0;
  for (std::size_t k = 0; k < m.operations.size(); ++k) {
    const explanation& why = e.explain(k);
    std::string shares;
    for (const explanation::share& s : why.shares) {
      shares += fmt::format("{}{} {}", shares.empty() ? "" : ", ", s.units, s.form);
      channels[std::string(s.form)] += s.units;
      all += s.units;
    }
    fmt::print("{:>5} {:<20} {:<12} {}{}{}\n", k, m.operations[k].label,
               why.shares.empty() ? "-" : simd::name_of(why.on), why.proved,
               why.proved.empty() || shares.empty() ? "" : ": ", shares);
  }
  fmt::print("{:<26} channels, or operators without channels, by form:\n", "");
  for (const auto& [form, count] : channels)
    fmt::print("{:<26} {:<24} {:>7}  {:5.1f} %\n", "", form, count,
               100.0 * static_cast<double>(count) / static_cast<double>(all));
}

}  // namespace bittwin::cli
