/* Fills the masks of a sentence with minibert's engine:
 *   cc example.c -o example $(pkg-config --cflags --libs minibert)
 *   ./example MODEL.mbq "제2차 세계 [MASK]은 1945년에 끝났다." */
#include <minibert.h>
#include <stdio.h>

int main(int argc, char** argv) {
  char* error = NULL;
  minibert_model* model;
  char* result;
  if (argc != 3) return 2;
  model = minibert_open(argv[1], &error);
  result = model == NULL ? NULL : minibert_fill(model, argv[2], 5, &error);
  if (result == NULL) {
    fprintf(stderr, "%s\n", error);
    minibert_free(error);
    minibert_close(model);
    return 1;
  }
  puts(result);
  minibert_free(result);
  minibert_close(model);
  return 0;
}
