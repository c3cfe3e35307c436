"""Model of solves on many machines: prints the tables of docs/scale.md.

    python3 runs/2026-11-26-epyc-2c/scale.py

What is counted, estimated or modelled is said there. Times are
max(compute / N, bytes / (N * bandwidth)) + steps * latency.
"""

import math
import random

# Fitted by measurements; see docs/scale.md.
PAIR_NS_A_RANK = 10.7  # whole tiers: core time of a rank
PLY_NS_A_MOVE = 76.0  # plies: core time of a move that is followed
PLY_BYTES_A_MOVE = 2.31  # plies: bytes of a move to another machine
STEP_SECONDS = 0.001  # a step that ends on all machines: 0.2 ms on one machine, the rest is assumed
LIST_NS_A_SET = 100.0  # whole tiers: each process lists all sets of fences, in one thread

# The machines.
MACHINES = [8, 64, 1024]
THREADS = 32
MEMORY = 256e9
BANDWIDTH = 1.25e9  # bytes a second, 10 Gbit/s
FAILURES_A_DAY = 1 / 365  # of a machine


def row_words(slots):
    """Rows of slots with vertical and horizontal fences: a mask of each."""
    words = [(0, 0)]
    for slot in range(slots):
        longer = []
        for vertical, horizontal in words:
            longer.append((vertical, horizontal))
            longer.append((vertical | 1 << slot, horizontal))
            if slot == 0 or not horizontal >> (slot - 1) & 1:
                longer.append((vertical, horizontal | 1 << slot))
        words = longer
    return words


def words_after(slots):
    """For each mask of vertical fences in a row: rows that may follow, with their fences."""
    words = [(v, h, (v | h).bit_count()) for v, h in row_words(slots)]
    return [[word for word in words if not word[0] & above] for above in range(1 << slots)]


def fence_sets(width, most):
    """Numbers of sets of 0 .. most fences that neither overlap nor cross (counted exactly)."""
    slots = width - 1
    steps = [{} for _ in range(1 << slots)]
    for above, words in enumerate(words_after(slots)):
        for vertical, _, fences in words:
            key = (vertical, fences)
            steps[above][key] = steps[above].get(key, 0) + 1
    rows = {0: [1] + [0] * most}
    for _ in range(slots):
        below = {}
        for above, counts in rows.items():
            for (vertical, fences), ways in steps[above].items():
                target = below.setdefault(vertical, [0] * (most + 1))
                for k in range(most + 1 - fences):
                    target[k + fences] += ways * counts[k]
        rows = below
    return [sum(counts[k] for counts in rows.values()) for k in range(most + 1)]


def splits(k, stock):
    """Ways in which k fences on the board may come from two stocks."""
    return max(0, min(k, stock) - max(0, k - stock) + 1)


class Quoridor:
    """Layers of a game: a layer has all tiers with k fences on the board."""

    def __init__(self, width, stock):
        self.width, self.stock = width, stock
        sets = fence_sets(width, 2 * stock)
        while not sets[-1]:
            sets.pop()
        self.sets = sets
        # Mirror and half turn make four of most tiers equal.
        self.tiers = [n * splits(k, stock) / 4 for k, n in enumerate(sets)]
        self.tier_ranks = 2 * width**4

    def ranks(self):
        return self.tier_ranks * sum(self.tiers)

    def bytes_sent(self, machines, threads):
        """Each table goes once to every worker that owns a tier before it."""
        workers, total = machines * threads, 0
        for k, tiers in enumerate(self.tiers):
            ways = splits(k, self.stock)
            # A tier before it lacks one fence, which either player may have placed.
            before = 2 * k if ways == 1 and 0 < k > self.stock else 2 * k * k / (k + 1)
            owners = workers * (1 - (1 - 1 / workers) ** before)
            total += tiers * self.tier_ranks * owners * (1 - 1 / machines)
        return total

    def memory(self, machines, threads):
        """Codes of two layers, shared out; lists of tiers and buffers, which every process has."""
        codes = max(
            (self.tiers[k] + (self.tiers[k - 1] if k else 0)) * self.tier_ranks
            for k in range(len(self.tiers))
        )
        # An index of the next layer for each thread, 12 bytes a slot, half to a quarter full.
        index = max(12 * 2 ** math.ceil(math.log2(2 * tiers + 2)) for tiers in self.tiers[:-1])
        buffers = threads * machines * threads * 2**18
        return codes / machines, 16 * sum(self.tiers) + threads * index + buffers

    def seconds(self, machines, threads):
        compute = self.ranks() * PAIR_NS_A_RANK * 1e-9 / (machines * threads)
        network = self.bytes_sent(machines, threads) / (machines * BANDWIDTH)
        lists = sum(self.sets) * LIST_NS_A_SET * 1e-9
        return compute, network, lists + 16 * len(self.tiers) * STEP_SECONDS


class Onitama:
    """Onitama 5x5 with one set of five cards, by plies. A tier has so many students a side."""

    POSITIONS = 957_188_203_230
    MOVES = 3.2  # moves of a rank that are followed: twice the 1.6 of 4 x 4 (assumed)
    PLIES = 127  # of the longest win

    def __init__(self):
        def tier(own, other):
            masters = 25 * 24
            return 30 * masters * math.comb(23, own) * math.comb(23 - own, other)

        self.tiers = {(own, other): tier(own, other) for own in range(5) for other in range(5)}
        self.moves = self.MOVES * self.POSITIONS
        self.steps = len(self.tiers) * self.PLIES

    def ranks(self):
        return sum(self.tiers.values())

    def bytes_sent(self, machines):
        return self.moves * PLY_BYTES_A_MOVE * (1 - 1 / machines)

    def memory(self, machines, threads):
        # Two bytes a rank in work, and a byte for those with one student fewer.
        largest = 2 * self.tiers[4, 4] + self.tiers[3, 4] + self.tiers[4, 3]
        # Lists of predecessors, and questions to each worker about two layers.
        buffers = threads * (2**26 + 2 * machines * threads * 2**17)
        return largest / machines, buffers

    def seconds(self, machines, threads):
        compute = self.moves * PLY_NS_A_MOVE * 1e-9 / (machines * threads)
        network = self.bytes_sent(machines) / (machines * BANDWIDTH)
        return compute, network, self.steps * STEP_SECONDS


# Positions of a set of fences, by sampling.


def random_set(width, k, counts, after):
    """A set of k fences, all with the same probability; `counts` are those of `completions`."""
    slots = width - 1
    above, left, rows = 0, k, []
    for row in range(slots):
        total = counts[row][above][left]
        pick = random.randrange(total)
        for vertical, horizontal, fences in after[above]:
            if fences > left:
                continue
            ways = counts[row + 1][vertical][left - fences]
            if pick < ways:
                break
            pick -= ways
        rows.append((vertical, horizontal))
        above, left = vertical, left - fences
    return rows


def completions(width, most, after):
    """counts[row][mask][k]: ways to fill the rows from `row` on below a mask with k fences."""
    slots = width - 1
    counts = [[[1] + [0] * most for _ in range(1 << slots)]]
    for _ in range(slots):
        last, rows = counts[0], []
        for above in range(1 << slots):
            ways = [0] * (most + 1)
            for vertical, _, fences in after[above]:
                for k in range(fences, most + 1):
                    ways[k] += last[vertical][k - fences]
            rows.append(ways)
        counts.insert(0, rows)
    return counts


def positions_of(width, rows):
    """Positions of a set of fences: both pawns have a path, and the mover is not at its goal."""
    steps = [[] for _ in range(width * width)]
    for y in range(width):
        for x in range(width):
            if y + 1 < width:
                fence = rows[y][1]
                if not (fence | fence << 1) >> x & 1:
                    steps[y * width + x].append((y + 1) * width + x)
                    steps[(y + 1) * width + x].append(y * width + x)
            if x + 1 < width:
                fence = (rows[y][0] if y < width - 1 else 0) | (rows[y - 1][0] if y else 0)
                if not fence >> x & 1:
                    steps[y * width + x].append(y * width + x + 1)
                    steps[y * width + x + 1].append(y * width + x)
    goals = [set(range(width)), set(range(width * (width - 1), width * width))]
    paths = []
    for goal in goals:
        seen, stack = set(goal), list(goal)
        while stack:
            for square in steps[stack.pop()]:
                if square not in seen:
                    seen.add(square)
                    stack.append(square)
        paths.append(seen)
    total = 0
    for mover in range(2):
        own = paths[mover] - goals[mover]
        other = paths[1 - mover]
        total += len(own) * len(other) - len(own & other)
    return total


def estimated_positions(width, stock, samples):
    """Positions of a game, from random sets of each number of fences."""
    most = min(2 * stock, (width - 1) ** 2)
    after = words_after(width - 1)
    counts = completions(width, most, after)
    total = 0
    for k in range(most + 1):
        sets = counts[0][0][k]
        if sets:
            drawn = (random_set(width, k, counts, after) for _ in range(samples))
            found = [positions_of(width, rows) for rows in drawn]
            total += sets * splits(k, stock) * sum(found) / samples
    return total


def time_text(seconds):
    for unit, size in [("days", 86400), ("h", 3600), ("min", 60)]:
        if seconds >= 2 * size:
            digits = 1 if seconds < 20 * size else 0
            return f"{seconds / size:,.{digits}f} {unit}"
    return f"{seconds:.0f} s" if seconds >= 2 else f"{seconds:.1f} s"


def size_text(size):
    for unit, bytes_ in [("PB", 1e15), ("TB", 1e12), ("GB", 1e9)]:
        if size >= bytes_:
            return f"{size / bytes_:,.1f} {unit}"
    return f"{size / 1e6:,.0f} MB"


def print_solve(name, game, calls):
    print(f"\n{name}: {game.ranks():,.3g} ranks\n")
    times = "| machines | threads | compute | network | serial | time "
    print(times + "| share | lists | fits | failure |")
    print("|---:|---:|---:|---:|---:|---:|---:|---:|---|---:|")
    for machines, threads in calls:
        compute, network, serial = game.seconds(machines, threads)
        shared, each = game.memory(machines, threads)
        time = max(compute, network) + serial
        row = [f"{machines:,}", str(threads), *map(time_text, (compute, network, serial, time))]
        fits = shared + each < 0.875 * MEMORY
        row += [size_text(shared), size_text(each), "yes" if fits else "**no**"]
        failure = 1 - math.exp(-machines * FAILURES_A_DAY * time / 86400)
        print("| " + " | ".join(row) + f" | {100 * failure:.1g} % |")


def main():
    random.seed(1)
    print("Checks of the counts: positions, sampled and known")
    for width, stock, known, samples in [
        (5, 2, 28_049_976, 2000),
        (5, 6, 5_929_968_276, 2000),
        (5, 10, 9_740_905_640, 2000),
        (5, 20, None, 2000),
        (7, 2, 3_726_109_616, 200),
        (7, 3, None, 200),
        (9, 1, 94_562_828, 100),
        (9, 2, 115_148_918_136, 100),
        (9, 3, None, 100),
    ]:
        found = estimated_positions(width, stock, samples)
        game = Quoridor(width, stock)
        beside = f"known {known:,}, {100 * (found / known - 1):+.2f} %" if known else ""
        print(f"{width}x{width}:{stock}: {found:.4g} positions, {game.ranks():.4g} ranks,")
        print(f"  {sum(game.tiers):.4g} tiers, at most {len(game.tiers) - 1} fences; {beside}")
    calls = [(machines, THREADS) for machines in MACHINES]
    print_solve("Quoridor 5x5, 20 fences each", Quoridor(5, 20), calls)
    print_solve("Quoridor 7x7, three fences each", Quoridor(7, 3), calls)
    fewer = [(128, 8), (1024, 8)]
    print_solve("Quoridor 9x9, three fences each", Quoridor(9, 3), calls[:2] + fewer)
    print_solve("Onitama 5x5, one set of cards, by plies", Onitama(), calls + [(1024, 8)])
    core_hours = 4368 * 4.9 * 2
    print(f"\nOnitama 5x5, all sets: {core_hours:,.0f} core-hours\n")
    for machines in MACHINES:
        rounds = math.ceil(4368 / machines)
        row = [f"{machines:,}", time_text(core_hours * 3600 / machines / THREADS), str(rounds)]
        row += [time_text(rounds * 9.8 / THREADS * 3600), f"{machines * FAILURES_A_DAY:.2g}"]
        print("| " + " | ".join(row) + " |")


if __name__ == "__main__":
    main()
