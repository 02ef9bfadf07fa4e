// A table of what a long test tried and what was survived, printed when the test's program ends.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

namespace minibert::testing {

class Survival {
 public:
  static Survival& table() {
    static Survival only;
    return only;
  }
  void add(const std::string& what, int tried, int survived) {
    rows_.push_back({what, tried, survived});
  }

 private:
  struct Row {
    std::string what;
    int tried, survived;
  };
  ~Survival() {
    int tried = 0, survived = 0;
    std::printf("\n| what was done to it | times | survived |\n|---|---:|---:|\n");
    for (const Row& row : rows_) {
      std::printf("| %s | %d | %d |\n", row.what.c_str(), row.tried, row.survived);
      tried += row.tried, survived += row.survived;
    }
    std::printf("| all | %d | %d |\n\n", tried, survived);
  }
  std::vector<Row> rows_;
};

}  // namespace minibert::testing
