// SPDX-License-Identifier: Apache-2.0
// One operator of a model, bound to a target: the function that runs it.
#pragma once

#include <bittwin/graph/workspace.hpp>
#include <bittwin/kernel/explanation.hpp>
#include <memory>
#include <utility>

namespace bittwin::graph::inline v1 {

/// Runs one operator: reads and writes the workspace. Any callable of (const workspace&).
/// A virtual call, not std::function: with a hundred operators its copies would dominate compile time.
class node {
 public:
  template <class F>
  explicit node(F run, explanation why = {})
      : body_(std::make_unique<body_of<F>>(std::move(run))), why_(std::move(why)) {}

  void operator()(const workspace& tensors) const { body_->run(tensors); }
  /// Nothing where the operator has no packed kernels.
  [[nodiscard]] const explanation& why() const noexcept { return why_; }

 private:
  struct body {
    body() = default;
    body(const body&) = delete;
    body& operator=(const body&) = delete;
    virtual ~body() = default;
    virtual void run(const workspace& tensors) const = 0;
  };
  template <class F> struct body_of final : body {
    explicit body_of(F f) : run_it(std::move(f)) {}
    void run(const workspace& tensors) const override { run_it(tensors); }
    F run_it;
  };
  std::unique_ptr<const body> body_;
  explanation why_;
};

}  // namespace bittwin::graph::inline v1
