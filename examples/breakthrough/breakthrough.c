// Breakthrough on boards of up to 32 cells, as a program that speaks lines.
//
//   cc -O2 -o breakthrough breakthrough.c
//   hindsight solve cmd:"./breakthrough 3 6"
//
// Each side begins with two full rows. A man moves one step forward, straight or diagonally, onto a free
// cell; diagonally it also captures. Who reaches the far row or captures the last man wins.
//
// A position is the men of White, the men of Black, 4 bytes each with bit COLUMNS * row + column, and a
// byte for the player to move. White sits at row 0 and moves first.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { uint32_t men[2]; int player; } Position;
typedef struct { int from, to; } Move;

enum { DIGITS = 18, MOST_MOVES = 96 };

static int columns, rows;
static char line[1 << 20];

static void print_position(Position p) {
  char text[DIGITS], *end = text;
  for (int side = 0; side < 2; side++)
    for (int shift = 28; shift >= 0; shift -= 4) *end++ = "0123456789abcdef"[p.men[side] >> shift & 15];
  end[0] = '0', end[1] = (char)('0' + p.player);
  fwrite(text, 1, DIGITS, stdout);
}

// Reads 18 digits; 0 if they are none.
static int read_position(const char *text, Position *p) {
  uint32_t number = 0;
  for (int i = 0; i < DIGITS; i++) {
    char c = text[i];
    if (!(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'f')) return 0;
    number = number << 4 | (uint32_t)(c <= '9' ? c - '0' : c - 'a' + 10);
    if (i == 7 || i == 15) p->men[i / 8] = number, number = 0;
  }
  p->player = (int)number;
  return number < 2;
}

static uint32_t row_of(int row) { return ((1u << columns) - 1) << columns * row; }

// True if the player before has won.
static int is_lost(Position p) {
  int player = p.player;
  return !p.men[player] || p.men[1 - player] & row_of(player ? rows - 1 : 0);
}

static int list_moves(Position p, Move *moves) {
  int count = 0, forward = p.player ? -1 : 1;
  for (int from = 0; from < columns * rows; from++) {
    if (!(p.men[p.player] >> from & 1)) continue;
    for (int side = -1; side <= 1; side++) {
      int column = from % columns + side, to = from + forward * columns + side;
      if (column < 0 || column >= columns || to < 0 || to >= columns * rows) continue;
      uint32_t taken = p.men[p.player] | (side ? 0 : p.men[1 - p.player]);
      if (!(taken >> to & 1)) moves[count++] = (Move){from, to};
    }
  }
  return count;
}

static Position play(Position p, Move move) {
  p.men[p.player] ^= 1u << move.from | 1u << move.to;
  p.men[1 - p.player] &= ~(1u << move.to);
  p.player = 1 - p.player;
  return p;
}

static void expand(Position p) {
  Move moves[MOST_MOVES];
  if (is_lost(p)) { puts("loss"); return; }
  int count = list_moves(p, moves);
  for (int i = 0; i < count; i++, putchar(' ')) print_position(play(p, moves[i]));
  putchar('\n');
}

static void name_moves(Position p) {
  Move moves[MOST_MOVES];
  int count = is_lost(p) ? 0 : list_moves(p, moves);
  for (int i = 0; i < count; i++) {
    int from = moves[i].from, to = moves[i].to;
    printf("%c%d%c%d ", 'a' + from % columns, from / columns + 1, 'a' + to % columns, to / columns + 1);
  }
  putchar('\n');
}

static void print_text(Position p) {
  for (int row = rows - 1; row >= 0; row--, fputs(row < 0 ? " " : "/", stdout))
    for (int column = 0; column < columns; column++) {
      int cell = columns * row + column;
      putchar(p.men[0] >> cell & 1 ? 'W' : p.men[1] >> cell & 1 ? 'B' : '.');
    }
  puts(p.player ? "black" : "white");
}

static void parse(const char *text) {
  Position p = {{0, 0}, 0};
  int row = rows - 1, column = 0;
  for (; *text && *text != ' '; text++) {
    if (*text == '/' && column == columns && row > 0) { row--, column = 0; continue; }
    if (column == columns || !strchr("WB.", *text)) break;
    if (*text != '.') p.men[*text == 'B'] |= 1u << (columns * row + column);
    column++;
  }
  p.player = !strcmp(text, " black");
  if (row || column < columns || (!p.player && strcmp(text, " white")))
    printf("no it is no board of %d rows of %d signs W, B or . with / between them, and white or black\n", rows, columns);
  else print_position(p), putchar('\n');
}

// Rows from the other side.
static uint32_t mirrored[256];

static uint32_t reversed(uint32_t men, int turns) {
  uint32_t image = 0;
  for (int row = 0; row < rows; row++)
    image |= mirrored[men >> columns * row & row_of(0)] << columns * (turns ? rows - 1 - row : row);
  return image;
}

// White is to move, and the board is not greater than its mirror image.
static Position canonical(Position p) {
  if (p.player) p = (Position){{reversed(p.men[1], 1), reversed(p.men[0], 1)}, 0};
  Position mirror = {{reversed(p.men[0], 0), reversed(p.men[1], 0)}, 0};
  int is_less = mirror.men[0] != p.men[0] ? mirror.men[0] < p.men[0] : mirror.men[1] < p.men[1];
  return is_less ? mirror : p;
}

static void say_rules(void) {
  Position start = {{row_of(0) | row_of(1), row_of(rows - 1) | row_of(rows - 2)}, 0};
  printf("rules 1 breakthrough %dx%d\nbytes 9\nplayer 8\nplayers White Black\nstart ", columns, rows);
  print_position(start);
  puts("\ncan names text canonical\nready");
}

int main(int count, char **arguments) {
  columns = count == 3 ? atoi(arguments[1]) : 0, rows = count == 3 ? atoi(arguments[2]) : 0;
  if (columns < 2 || rows < 4 || columns * rows > 32)
    return fputs("breakthrough COLUMNS ROWS, 2 or more and 4 or more, 32 cells at most\n", stderr), 2;
  for (unsigned row = 0; row < 1u << columns; row++)
    for (int column = 0; column < columns; column++)
      mirrored[row] |= (row >> column & 1) << (columns - 1 - column);
  while (fgets(line, sizeof line, stdin)) {
    char *rest = strchr(line, ' ');
    Position p;
    line[strcspn(line, "\n")] = 0;
    if (!strncmp(line, "rules", 5)) say_rules();
    else if (!rest) continue;
    else if (!strncmp(line, "parse ", 6)) parse(line + 6);
    else
      for (; *rest == ' ' && read_position(rest + 1, &p); rest += DIGITS + 1) {
        if (!strncmp(line, "expand", 6)) expand(p);
        else if (!strncmp(line, "names", 5)) name_moves(p);
        else if (!strncmp(line, "text", 4)) print_text(p);
        else if (!strncmp(line, "canonical", 9)) print_position(canonical(p)), putchar('\n');
      }
    if (strncmp(line, "rules", 5)) puts("end");
    fflush(stdout);
  }
}
