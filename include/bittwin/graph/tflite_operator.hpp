// SPDX-License-Identifier: Apache-2.0
// Reads what one operator of a .tflite file is: code, version, name and options, each checked. Its
// tensors are the reader's.
#pragma once

#include <algorithm>
#include <bittwin/graph/detection_fields.hpp>
#include <bittwin/graph/flatbuffer_view.hpp>
#include <bittwin/graph/model.hpp>
#include <bittwin/graph/operator_names.hpp>
#include <bittwin/graph/printable_name.hpp>
#include <bittwin/graph/tflite_options.hpp>
#include <bittwin/graph/tflite_schema.hpp>
#include <bittwin/types/mutation.hpp>
#include <bittwin/types/result.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace bittwin::graph::inline v1 {

/// One operator. The caller asks the file whether it failed() before it looks at a result.
class tflite_operator {
 public:
  /// index  of the operator; `table` verified
  tflite_operator(flatbuffer_table table, std::size_t index)
      : table_(table), label_("operator " + std::to_string(index)) {}

  /// As sentences name it: "operator 3", and "operator 3 CONV_2D" once the code is read.
  [[nodiscard]] const std::string& label() const noexcept { return label_; }

  [[nodiscard]] status read_code(const flatbuffer_tables& codes, operation& op) {
    namespace schema = tflite_schema;
    const auto at = table_.number<std::uint32_t>(schema::operator_code_index, 0);
    if (BITTWIN_MUTABLE(at >= codes.size(), code_index, at > codes.size()))
      return error{error_code::bad_file, label_ + " has operator code index " + std::to_string(at) +
                                             " of " + std::to_string(codes.size()) +
                                             "; export the model again"};
    const flatbuffer_table code = codes[at];
    // The byte came first and ends at 127; writers fill both, so the larger one is the code.
    const std::int32_t builtin =
        std::max<std::int32_t>(code.number<std::int8_t>(schema::code_deprecated, 0),
                               code.number<std::int32_t>(schema::code_builtin, 0));
    op.code = static_cast<operator_code>(builtin);
    op.version = code.number<std::int32_t>(schema::code_version, 1);
    if (op.code == operator_code::custom) op.custom_name = code.text(schema::code_custom);
    op.label = label_of(op);
    label_ += " " + op.label;
    return ok();
  }

  /// "CONV_2D", "custom Foo"
  [[nodiscard]] static std::string label_of(const operation& op) {
    if (op.code != operator_code::custom) return operator_name(static_cast<std::int32_t>(op.code));
    const std::string quoted = printable_name(op.custom_name);
    return "custom " + quoted.substr(1, quoted.size() - 2);
  }

  [[nodiscard]] status read_options(operation& op) {
    namespace schema = tflite_schema;
    if (op.code == operator_code::custom) {
      op.custom_options = table_.list<std::uint8_t>(schema::operator_custom_options).bytes();
      // 0 and 1 stand for "not there", as in buffers.
      if (table_.number<std::uint64_t>(schema::operator_large_options_offset, 0) > 1)
        return error{error_code::unsupported,
                     label_ + " keeps its options behind the model; export the model again"};
      if (op.custom_name != detection_name) return ok();
    }
    result<operator_options> options =
        op.code == operator_code::custom
            ? read_detection_options(std::exchange(op.custom_options, {}), label_)
            : tflite_options(table_, label_).read(op.code);
    if (!options) return options.error();
    op.options = std::move(*options);
    return ok();
  }

 private:
  flatbuffer_table table_;
  std::string label_;
};

}  // namespace bittwin::graph::inline v1
