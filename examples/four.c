// Four in a row on a board of 5 columns and 4 rows, as a program that speaks lines.
//
//   cc -O2 -o four examples/four.c
//   hindsight solve cmd:./four --solver graph
//
// A position is two words of 32 bits: the discs of the side to move, and all discs. Bit 5 * column + row
// is a cell; row 4 of each column is always empty, so that no line goes on in the next column.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { COLUMNS = 5, ROWS = 4, STEP = ROWS + 1 };

static char line[1 << 20];
static int has_four(uint32_t discs) {
  const int steps[] = {1, STEP - 1, STEP, STEP + 1};
  for (int i = 0; i < 4; i++) {
    uint32_t pairs = discs & discs >> steps[i];
    if (pairs & pairs >> 2 * steps[i]) return 1;
  }
  return 0;
}

static void print_word(uint32_t word) {
  for (int shift = 28; shift >= 0; shift -= 4) putchar_unlocked("0123456789abcdef"[word >> shift & 15]);
}

static uint32_t read_word(const char *digits) {
  uint32_t word = 0;
  for (int i = 0; i < 8; i++)
    word = word << 4 | (uint32_t)(digits[i] <= '9' ? digits[i] - '0' : digits[i] - 'a' + 10);
  return word;
}

static void expand(uint32_t own, uint32_t all) {
  int is_full = 1;
  if (has_four(all ^ own)) { puts("loss"); return; }
  for (int column = 0; column < COLUMNS; column++) {
    uint32_t bottom = 1u << column * STEP;
    uint32_t cell = (all + bottom) & ((1u << ROWS) - 1) << column * STEP;
    if (!cell) continue;
    is_full = 0;
    print_word(all ^ own);
    print_word(all | cell);
    putchar_unlocked(' ');
  }
  puts(is_full ? "draw" : "");
}

int main(void) {
  while (fgets(line, sizeof line, stdin)) {
    if (!strncmp(line, "rules", 5))
      puts("rules 1 four 5x4\nbytes 8\nturns alternate\nstart 0000000000000000\nready");
    else if (!strncmp(line, "expand", 6)) {
      for (const char *at = line + 6; *at == ' '; at += 17) expand(read_word(at + 1), read_word(at + 9));
      puts("end");
    }
    fflush(stdout);
  }
}
