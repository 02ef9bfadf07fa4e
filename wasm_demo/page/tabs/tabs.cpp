#include "tabs/tabs.h"

namespace minibert::page {

// Each in a file of its own, tab_….cpp.
Tab fill_tab();
Tab ask_tab();
Tab label_tab();
Tab name_tab();
Tab teach_tab();
Tab contrast_tab();

std::span<const Tab> tabs() {
  static const std::array kTabs = {
      fill_tab(), ask_tab(), label_tab(), name_tab(), teach_tab(), contrast_tab(),
  };
  return kTabs;
}

}  // namespace minibert::page
