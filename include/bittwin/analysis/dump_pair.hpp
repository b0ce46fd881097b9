// SPDX-License-Identifier: Apache-2.0
// Two dumps of one model, read tensor by tensor, with the parameters that each side goes by.
#pragma once

#include <algorithm>
#include <bittwin/analysis/comparison.hpp>
#include <bittwin/analysis/dump.hpp>
#include <bittwin/analysis/recording.hpp>
#include <bittwin/graph/model.hpp>
#include <bittwin/graph/printable_name.hpp>
#include <bittwin/types/result.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace bittwin::analysis::inline v1 {

struct recorded_pair {
  recording reference, test;
};

/// The dumps and the model (or null) must outlive it.
class dump_pair {
 public:
  dump_pair(const dump& reference, const dump& test, const graph::model* m)
      : reference_(reference),
        test_(test),
        model_(m),
        samples_(std::min(reference.samples().size(), test.samples().size())) {}

  [[nodiscard]] const dump& reference() const noexcept { return reference_; }
  [[nodiscard]] const dump& test() const noexcept { return test_; }
  [[nodiscard]] std::size_t samples() const noexcept { return samples_; }

  /// Both recordings of a tensor; nothing where they are not on both sides, or do not fit: then a finding says so.
  /// errors  files that are unreadable or contradict their manifest
  [[nodiscard]] result<std::optional<recorded_pair>> read(std::int32_t index,
                                                          std::vector<finding>& findings) const {
    recorded_pair both;
    for (std::size_t sample = 0; sample < samples_; ++sample) {
      if (!reference_.has(index, sample) || !test_.has(index, sample))
        return std::optional<recorded_pair>{};
      const result<array> a = reference_.read(index, sample);
      if (!a) return a.error();
      const result<array> b = test_.read(index, sample);
      if (!b) return b.error();
      const bool floats = !is_integer(a->type) || !is_integer(b->type);
      if (a->extents != b->extents || (a->type != b->type && !floats)) {
        findings.push_back({"OTHER_MODEL", label(index) + " is " + std::string(name_of(a->type)) +
                                               to_string(a->extents) + " in REF and " +
                                               std::string(name_of(b->type)) +
                                               to_string(b->extents) +
                                               " in TEST; these are dumps of different models"});
        return std::optional<recorded_pair>{};
      }
      both.reference.append(*a);
      both.test.append(*b);
    }
    return std::optional(std::move(both));
  }

  /// "tensor 7 'conv2d/BiasAdd'"
  [[nodiscard]] std::string label(std::int32_t index) const {
    std::string text = "tensor " + std::to_string(index);
    if (model_ != nullptr && static_cast<std::size_t>(index) < model_->tensors.size())
      return text + " " +
             graph::printable_name(model_->tensors[static_cast<std::size_t>(index)].name);
    for (const dump* d : {&reference_, &test_})
      if (const manifest_tensor* const said = d->entry(index))
        return text + " " + graph::printable_name(said->name);
    return text;
  }

  /// The reference's parameters: the model's where there is one.
  [[nodiscard]] quantization reference_map(std::int32_t index) const {
    if (model_ != nullptr && static_cast<std::size_t>(index) < model_->tensors.size())
      return model_->tensors[static_cast<std::size_t>(index)].quantization;
    const manifest_tensor* const said = reference_.entry(index);
    return said != nullptr ? said->quantization : quantization{};
  }
  /// The board's own: its manifest's, else the reference's.
  [[nodiscard]] quantization test_map(std::int32_t index) const {
    const manifest_tensor* const said = test_.entry(index);
    return said != nullptr && said->quantization.present() ? said->quantization
                                                           : reference_map(index);
  }

 private:
  const dump& reference_;
  const dump& test_;
  const graph::model* model_;
  std::size_t samples_;
};

}  // namespace bittwin::analysis::inline v1
