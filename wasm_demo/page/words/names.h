// Enumerations whose members have equal names in JavaScript: one list makes the enum and its names.
#pragma once

#include <array>
#include <optional>
#include <string_view>

// MINIBERT_NAMED(Kind, LIST) with LIST(X) = X(first) X(second) … makes enum class Kind, its names
// as kKindNames, and the conversions name_of(kind) and kind_named(name).
#define MINIBERT_MEMBER(name) name,
#define MINIBERT_NAME(name) std::string_view(#name),
#define MINIBERT_NAMED(Kind, LIST)                                    \
  enum class Kind { LIST(MINIBERT_MEMBER) };                          \
  inline constexpr std::array k##Kind##Names = {LIST(MINIBERT_NAME)}; \
  constexpr std::string_view name_of(Kind kind) {                     \
    return k##Kind##Names[static_cast<size_t>(kind)];                 \
  }

namespace minibert::page {

// Returns the member of that name, or nothing.
template <class Kind, size_t kCount>
std::optional<Kind> find_named(const std::array<std::string_view, kCount>& names,
                               std::string_view name) {
  for (size_t i = 0; i < kCount; ++i)
    if (names[i] == name) return static_cast<Kind>(i);
  return std::nullopt;
}

}  // namespace minibert::page
