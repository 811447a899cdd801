// Every header of Shale includes this one, directly or through another: code
// compiled with an older standard gets this error, and only this one.
#ifndef SHALE_BASE_CXX_STANDARD_H_
#define SHALE_BASE_CXX_STANDARD_H_

#if __cplusplus < 202002L
#error "Shale needs C++20: add to .bazelrc the line  build --cxxopt=-std=c++20"
// A file that isn't there is what ends the compilation here.
#include "shale/base/needs_cxx20.h"
#endif

#endif  // SHALE_BASE_CXX_STANDARD_H_
