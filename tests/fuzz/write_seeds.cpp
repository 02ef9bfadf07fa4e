// write_seeds FOLDER: the files that the fuzzer starts from.
#include <fstream>

#include "tiny_model.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  int number = 0;
  for (const std::string& file : minibert::test::tiny_files())
    std::ofstream(std::string(argv[1]) + "/" + std::to_string(number++) + ".mbq", std::ios::binary)
        << file;
  return 0;
}
