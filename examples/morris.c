/* Morris with three men a side, who fly: a move takes a man of one's own to any empty point, and whoever has three in
 * a line takes a man of the other, who then has too few and has lost. `morris 9` is played on a board of 3 x 3 points,
 * `morris` on the 24 points of nine men's morris. Positions have ranks, so there are tables. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MEN = 3 };

static const char *lines_of_9 = "abc def ghi adg beh cfi aei ceg";
static const char *lines_of_24 = "abc def ghi jkl mno pqr stu vwx ajv dks glp beh qtw imr fnu cox";

static int points;
static unsigned lines[16], line_count;
static unsigned choose[25][MEN + 1];

typedef struct { unsigned own, other; } Position; /* men of the side to move, and of the other */

static void set_up(int count) {
    points = count;
    for (const char *word = count == 9 ? lines_of_9 : lines_of_24; *word; word += 3) {
        word += *word == ' ';
        lines[line_count++] = 1u << (word[0] - 'a') | 1u << (word[1] - 'a') | 1u << (word[2] - 'a');
    }
    for (int n = 0; n <= 24; n++)
        for (int k = 0; k <= MEN; k++)
            choose[n][k] = k == 0 ? 1 : n == 0 ? 0 : choose[n - 1][k - 1] + choose[n - 1][k];
}

static int has_mill(unsigned men) {
    for (unsigned i = 0; i < line_count; i++)
        if ((men & lines[i]) == lines[i]) return 1;
    return 0;
}

static unsigned read_hex(const char **text, int digits) {
    unsigned value = 0;
    while (digits--) {
        char c = *(*text)++;
        value = value << 4 | (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
    }
    return value;
}

static Position read_position(const char **text) {
    while (**text == ' ') ++*text;
    Position p = {read_hex(text, 6), 0};
    p.other = read_hex(text, 6);
    return p;
}

static char *write_position(char *out, Position p) {
    unsigned long long all = (unsigned long long)p.own << 24 | p.other;
    for (int shift = 44; shift >= 0; shift -= 4) *out++ = "0123456789abcdef"[all >> shift & 15];
    return out;
}

/* The number of a set of men among those of its size, by the combinatorial number system. */
static unsigned number_of(unsigned men) {
    unsigned number = 0;
    for (int k = 1; men; men &= men - 1) number += choose[__builtin_ctz(men)][k++];
    return number;
}

static unsigned men_of(unsigned number) {
    unsigned men = 0;
    for (int k = MEN, point = points; k > 0; k--) {
        do point--; while (choose[point][k] > number);
        number -= choose[point][k];
        men |= 1u << point;
    }
    return men;
}

/* The men of the other among the points that the own ones leave, and back. */
static unsigned squeezed(unsigned men, unsigned own) {
    unsigned result = 0;
    for (int point = 0, place = 0; point < points; point++)
        if (!(own >> point & 1)) result |= (men >> point & 1) << place++;
    return result;
}

static unsigned spread(unsigned men, unsigned own) {
    unsigned result = 0;
    for (int point = 0, place = 0; point < points; point++)
        if (!(own >> point & 1)) result |= (men >> place++ & 1) << point;
    return result;
}

static void expand(Position p) {
    char buffer[64 * 16], *out = buffer;
    if (__builtin_popcount(p.own) < MEN) { fputs("loss\n", stdout); return; }
    unsigned empty = ~(p.own | p.other) & ((1u << points) - 1);
    for (unsigned men = p.own; men; men &= men - 1)
        for (unsigned to = empty; to; to &= to - 1) {
            unsigned moved = (p.own ^ (men & -men)) | (to & -to);
            /* Which man is taken does not matter any more: the last one. */
            unsigned taken = has_mill(moved) ? 1u << (31 - __builtin_clz(p.other)) : 0;
            out = write_position(out, (Position){p.other ^ taken, moved});
            *out++ = ' ';
        }
    *out++ = '\n';
    fwrite(buffer, 1, (size_t)(out - buffer), stdout);
}

int main(int count, char **arguments) {
    static char line[1 << 22];
    set_up(count > 1 ? atoi(arguments[1]) : 24);
    unsigned others = points - MEN;
    while (fgets(line, sizeof line, stdin)) {
        const char *text = strchr(line, ' ');
        line[strcspn(line, "\n")] = 0;
        if (!strncmp(line, "rules ", 6)) {
            unsigned ranks = choose[points][MEN] * choose[others][MEN];
            char start[16] = {0};
            write_position(start, (Position){7, 7u << (points - MEN)});
            printf("rules 1 morris %d\nbytes 6\nturns alternate\nstart %s\ntiers %u\nready\n", points, start, ranks);
        } else if (!strncmp(line, "expand ", 7)) {
            while (*text) expand(read_position(&text));
            puts("end");
        } else if (!strncmp(line, "rank ", 5)) {
            while (*text) {
                Position p = read_position(&text);
                if (__builtin_popcount(p.own) < MEN) { puts("-"); continue; }
                printf("0 %u\n", number_of(p.own) * choose[others][MEN] + number_of(squeezed(p.other, p.own)));
            }
            puts("end");
        } else if (!strncmp(line, "unrank ", 7)) {
            char *end, buffer[16] = {0};
            for (text = strchr(text + 1, ' '); text && *text; text = end) {
                unsigned rank = (unsigned)strtoul(text, &end, 10), own = men_of(rank / choose[others][MEN]);
                int all = points;
                points = (int)others;
                unsigned other = men_of(rank % choose[others][MEN]);
                points = all;
                write_position(buffer, (Position){own, spread(other, own)});
                puts(buffer);
            }
            puts("end");
        }
        fflush(stdout);
    }
}
