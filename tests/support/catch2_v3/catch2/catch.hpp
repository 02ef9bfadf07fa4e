// Catch2 3 under the names of version 2 that the tests use.
#pragma once

#include <catch2/catch_all.hpp>

using Catch::Approx;

namespace Catch {

using Matchers::EndsWith;
using Matchers::StartsWith;
inline auto Contains(const std::string& part) { return Matchers::ContainsSubstring(part); }

// Each as exact as version 3's own Contains, which is a template and means an element.
namespace Matchers {
inline auto Contains(const std::string& part) { return ContainsSubstring(part); }
inline auto Contains(std::string& part) { return ContainsSubstring(part); }
inline auto Contains(std::string&& part) { return ContainsSubstring(part); }
inline auto Contains(const char* part) { return ContainsSubstring(part); }
}  // namespace Matchers

}  // namespace Catch
