// The table of the page's tabs.
#pragma once

#include "state/tab.h"

namespace minibert::page {

// In the page's order. The first tab's task needs no model, and its sentence is in every link.
std::span<const Tab> tabs();

}  // namespace minibert::page
