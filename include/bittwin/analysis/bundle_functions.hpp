// SPDX-License-Identifier: Apache-2.0
// How a bundle is put together: compiled once, with bittwin::analysis.
#pragma once

#include <algorithm>
#include <bittwin/analysis/bundle.hpp>
#include <bittwin/analysis/dump_comparison.hpp>
#include <bittwin/analysis/recorded_run.hpp>
#include <bittwin/analysis/segment_run.hpp>
#include <bittwin/analysis/segments.hpp>
#include <bittwin/analysis/target_file.hpp>
#include <bittwin/graph/printable_name.hpp>
#include <bittwin/graph/read_tflite.hpp>
#include <bittwin/graph/sha256.hpp>
#include <bittwin/graph/write_tflite.hpp>
#include <bittwin/types/sentence.hpp>
#include <map>
#include <memory>
#include <utility>

namespace bittwin::analysis::inline v1 {

namespace detail {

class bundle_maker {
 public:
  bundle_maker(const graph::model& whole, const dump& board, const bundle_settings& settings)
      : whole_(whole), board_(board), settings_(settings), assumptions_(settings.assumed) {}

  [[nodiscard]] result<bundle> run() {
    if (settings_.target->is_real)
      return error{error_code::unsupported,
                   sentence({"target ", settings_.target->name,
                             " makes reals and no codes to check a board by; give another"})};
    for (const std::int32_t index : board_.indices())
      if (static_cast<std::size_t>(index) >= whole_.tensors.size())
        return error{
            error_code::bad_file,
            sentence({board_.folder().string(), ": holds tensor ", number(index), ", which ",
                      whole_.name, " does not have; give the model that the dump was made with"})};
    if (status done = settings_.op ? cut_out() : take_whole(); !done) return done.error();
    if (status done = observe(); !done) return done.error();
    if (status done = expect(); !done) return done.error();
    result<comparison> found = compare_dumps(
        *expected_, *observed_, {&m_, settings_.target, settings_.arena_limit, settings_.rules});
    if (!found) return found.error();
    const target_description* const known = find_description(settings_.target->name);
    return bundle{std::move(m_),
                  std::move(file_),
                  std::move(ops_),
                  std::move(*expected_),
                  std::move(*observed_),
                  std::move(*found),
                  std::move(assumptions_),
                  settings_.target,
                  settings_.target_name,
                  settings_.assume,
                  known != nullptr ? known->formula : std::string(),
                  settings_.target_file};
  }

 private:
  [[nodiscard]] status take_whole() {
    for (std::size_t k = 0; k < whole_.operations.size(); ++k)
      ops_.push_back(static_cast<std::int32_t>(k));
    for (std::size_t i = 0; i < whole_.tensors.size(); ++i)
      places_.emplace(static_cast<std::int32_t>(i), static_cast<std::int32_t>(i));
    if (settings_.anonymize) return write(whole_);
    file_ = whole_.storage;
    m_ = whole_;
    m_.name = model_name;
    return ok();
  }

  /// The operators that make the first recorded tensor which operator k has a part in.
  [[nodiscard]] status cut_out() {
    const auto k = static_cast<std::int32_t>(*settings_.op);
    if (*settings_.op >= whole_.operations.size())
      return error{error_code::bad_option,
                   sentence({whole_.name, ": there is no operator ", number(*settings_.op),
                             "; it has ", number(whole_.operations.size())})};
    const std::vector<segment> all = segments_of(whole_, board_, board_);
    const auto at = std::find_if(all.begin(), all.end(), [&](const segment& s) {
      return board_.has(s.tensor) && std::find(s.ops.begin(), s.ops.end(), k) != s.ops.end();
    });
    if (at == all.end())
      return error{error_code::bad_file,
                   sentence({board_.folder().string(), ": holds no result of operator ", number(k),
                             " ", whole_.operations[*settings_.op].label,
                             " and none behind it; record one, or leave --op out"})};
    if (at->from.empty())
      return error{error_code::unsupported,
                   sentence({whole_.name, ": operator ", number(k), " ",
                             whole_.operations[*settings_.op].label,
                             " computes from constants alone; bundle another one"})};
    for (const std::int32_t index : at->from)
      if (!board_.has(index))
        return error{
            error_code::bad_file,
            sentence({board_.folder().string(), ": did not record tensor ", number(index), " ",
                      graph::printable_name(whole_.tensors[static_cast<std::size_t>(index)].name),
                      ", which operator ", number(k), " ", whole_.operations[*settings_.op].label,
                      " needs; put ", dump_file_name(index), " there"})};
    parameters_.emplace(with_board_parameters(whole_, board_));
    if (parameters_->differs)
      assumptions_.push_back(
          "the model has the scales and zero points of the board's manifest, "
          "with biases rescaled");
    if (at->ops.size() > 1)
      assumptions_.push_back("the board recorded nothing between these operators");
    ops_ = at->ops;
    const std::int32_t made[] = {at->tensor};
    if (status done = write(part_of(parameters_->edit.m, ops_, at->from, made)); !done) return done;
    for (std::size_t i = 0; i < at->from.size(); ++i) places_.emplace(at->from[i], m_.inputs[i]);
    places_.emplace(at->tensor, m_.outputs[0]);
    return ok();
  }

  /// The model as a file, read back: what the bundle is about is what the file says.
  [[nodiscard]] status write(graph::model m) {
    if (settings_.anonymize) {
      m.description.clear();
      for (std::size_t i = 0; i < m.tensors.size(); ++i)
        m.tensors[i].name = "tensor_" + std::to_string(i);
    }
    result<std::vector<std::byte>> bytes = graph::write_tflite(m);
    if (!bytes) return bytes.error();
    file_ = std::make_shared<const std::vector<std::byte>>(std::move(*bytes));
    result<graph::model> back = graph::read_tflite(file_, model_name);
    if (!back) return back.error();
    m_ = std::move(*back);
    return ok();
  }

  /// The tensors of a dump that the bundle's model has, under its numbers and names.
  [[nodiscard]] result<dump> carried_over(const dump& from, const char* name) const {
    manifest description;
    description.model = model_name;
    description.sha256 = graph::sha256_hex(*file_);
    std::vector<dump::tensors> samples(from.samples().size());
    for (const auto& [old, now] : places_) {
      if (!from.has(old)) continue;
      for (std::size_t sample = 0; sample < samples.size(); ++sample) {
        result<array> a = from.read(old, sample);
        if (!a) return a.error();
        samples[sample][now] = std::move(*a);
      }
      manifest_tensor entry = describe(m_, now);
      const array& first = samples[0].at(now);
      entry.type = first.type;
      entry.extents = first.extents;
      if (const manifest_tensor* said = from.entry(old);
          said != nullptr && said->quantization.present())
        entry.quantization = said->quantization;
      description.tensors.push_back(std::move(entry));
    }
    return dump::of(std::move(description), std::move(samples), name);
  }

  [[nodiscard]] status observe() {
    result<dump> carried = carried_over(board_, "observed");
    if (!carried) return carried.error();
    observed_.emplace(std::move(*carried));
    if (observed_->indices().empty())
      return error{error_code::bad_file,
                   sentence({board_.folder().string(), ": holds no tensor of ", whole_.name,
                             "; give a dump of that model"})};
    return ok();
  }

  [[nodiscard]] status expect() {
    if (settings_.reference != nullptr && is_reference_for_all()) {
      result<dump> carried = carried_over(*settings_.reference, "expected");
      if (!carried) return carried.error();
      expected_.emplace(std::move(*carried));
      return ok();
    }
    if (settings_.reference != nullptr)
      assumptions_.push_back(
          "REF had other operands here than the board: what is expected is what target " +
          std::string(settings_.target->name) + " makes of the board's");
    result<dump> made =
        run_recorded(m_, *settings_.target, *observed_, settings_.arena_limit, "expected");
    if (!made) {
      // The sentence is about a dump that nobody else has seen.
      std::string text = made.error().text;
      if (text.starts_with("observed: ")) text.replace(0, 8, board_.folder().string());
      return error{made.error().code, std::move(text)};
    }
    expected_.emplace(std::move(*made));
    return ok();
  }

  /// Of a piece, what the reference holds is expected only of the reference's operands.
  [[nodiscard]] bool is_reference_for_all() const {
    if (!settings_.op) return true;
    if (parameters_->differs) return false;
    const dump& reference = *settings_.reference;
    for (const auto& [old, now] : places_)
      for (std::size_t sample = 0; sample < board_.samples().size(); ++sample) {
        if (!reference.has(old, sample)) return false;
        const bool is_input = std::find(m_.inputs.begin(), m_.inputs.end(), now) != m_.inputs.end();
        if (!is_input) continue;
        const result<array> a = reference.read(old, sample), b = board_.read(old, sample);
        if (!a || !b || a->type != b->type || a->data != b->data) return false;
      }
    return true;
  }

  static constexpr const char* model_name = "model.tflite";

  const graph::model& whole_;
  const dump& board_;
  const bundle_settings& settings_;
  std::optional<board_model> parameters_;  ///< of a piece; holds its constants
  graph::model m_;
  graph::file_bytes file_;
  std::vector<std::int32_t> ops_;
  std::map<std::int32_t, std::int32_t> places_;  ///< tensors of the whole model in the bundle's
  std::optional<dump> expected_, observed_;
  std::vector<std::string> assumptions_;
};

}  // namespace detail

result<bundle> make_bundle(const graph::model& whole, const dump& board,
                           const bundle_settings& settings) {
  return detail::bundle_maker(whole, board, settings).run();
}

}  // namespace bittwin::analysis::inline v1
