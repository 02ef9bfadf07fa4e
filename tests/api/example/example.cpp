// The same in C++.
#include <iostream>
#include <minibert.hpp>

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  try {
    minibert::Engine engine(argv[1]);
    std::cout << engine.fill(argv[2]) << "\n";
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
