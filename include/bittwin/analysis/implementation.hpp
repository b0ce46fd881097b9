// SPDX-License-Identifier: Apache-2.0
// The compiled part of the analysis component, whose headers only declare it. Without CMake exactly one source file of a
// program includes this, and <bittwin/graph/implementation.hpp>; the CMake target bittwin::analysis brings both.
#pragma once

#include <bittwin/analysis/arithmetic_faults_functions.hpp>
#include <bittwin/analysis/audit_functions.hpp>
#include <bittwin/analysis/audit_page_functions.hpp>
#include <bittwin/analysis/baseline_functions.hpp>
#include <bittwin/analysis/bundle_files_functions.hpp>
#include <bittwin/analysis/bundle_functions.hpp>
#include <bittwin/analysis/bundle_page_functions.hpp>
#include <bittwin/analysis/comparison_json_functions.hpp>
#include <bittwin/analysis/comparison_page_functions.hpp>
#include <bittwin/analysis/comparison_text_functions.hpp>
#include <bittwin/analysis/drift_functions.hpp>
#include <bittwin/analysis/drift_page_functions.hpp>
#include <bittwin/analysis/dump_comparison_functions.hpp>
#include <bittwin/analysis/dump_functions.hpp>
#include <bittwin/analysis/dump_writer_functions.hpp>
#include <bittwin/analysis/explain_functions.hpp>
#include <bittwin/analysis/extract_functions.hpp>
#include <bittwin/analysis/import_functions.hpp>
#include <bittwin/analysis/import_samples_functions.hpp>
#include <bittwin/analysis/manifest_functions.hpp>
#include <bittwin/analysis/npy_functions.hpp>
#include <bittwin/analysis/page_functions.hpp>
#include <bittwin/analysis/recorded_run_functions.hpp>
#include <bittwin/analysis/repair_functions.hpp>
#include <bittwin/analysis/run_page_functions.hpp>
#include <bittwin/analysis/target_file_functions.hpp>
#include <bittwin/analysis/tensor_names_functions.hpp>
#include <bittwin/analysis/tensor_picture_functions.hpp>
