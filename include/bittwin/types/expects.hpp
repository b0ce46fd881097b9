// SPDX-License-Identifier: Apache-2.0
// BITTWIN_EXPECTS(condition): a precondition, checked where NDEBUG is not defined.
#pragma once

#include <cstdlib>

#ifndef BITTWIN_EXPECTS
#ifdef NDEBUG
#define BITTWIN_EXPECTS(condition) static_cast<void>(0)
#else
#define BITTWIN_EXPECTS(condition) static_cast<void>((condition) || (std::abort(), 0))
#endif
#endif
