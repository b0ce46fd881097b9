// SPDX-License-Identifier: Apache-2.0
// What is left of a difference when its first fault is taken away, in words and as JSON.
#include "repair.hpp"

namespace bittwin::cli {
namespace {

json tensors_json(const std::vector<analysis::repaired_tensor>& tensors) {
  json list = json::array();
  for (const analysis::repaired_tensor& t : tensors)
    list.push_back({{"tensor", t.tensor},
                    {"elements", t.elements},
                    {"before", t.before ? json(*t.before) : json(nullptr)},
                    {"after", t.after}});
  return list;
}

}  // namespace

json as_json(const result<analysis::repair>& r) {
  if (!r) return {{"done", false}, {"text", r.error().text}};
  return {{"done", true},
          {"code", r->fault.code},
          {"tensor", r->at},
          {"removed", r->removed()},
          {"tensors", tensors_json(r->tensors)},
          {"outputs", tensors_json(r->outputs)},
          {"outputs_regained", r->regains_outputs()},
          {"remainder", r->remainder}};
}

void print(const result<analysis::repair>& r) {
  if (!r) {
    fmt::print("{}\n", r.error().text);
    return;
  }
  fmt::print("{} at tensor {} taken away: {} differing elements less\n", r->fault.code, r->at,
             r->removed());
  for (const analysis::repaired_tensor& t : r->outputs)
    fmt::print("output tensor {}: {} of {} differ{}\n", t.tensor, t.after, t.elements,
               t.before ? fmt::format(", {} before", *t.before) : "");
  for (const std::int32_t tensor : r->remainder)
    fmt::print("tensor {} has a fault of its own behind it, which the replay does not show\n",
               tensor);
}

}  // namespace bittwin::cli
