"""A heap of stones. A move takes one or two of them; whoever takes the last one wins.

hindsight solve cmd:"python3 examples/take_away.py 14"
"""

import sys

for line in sys.stdin:
    word, *positions = line.split()
    if word == "rules":
        print("rules 1 take-away", "bytes 1", "turns alternate", sep="\n")
        print(f"start {int(sys.argv[1]):02x}", "can names text", "ready", sep="\n")
    elif word == "expand":
        for position in positions:
            stones = int(position, 16)
            after = [stones - taken for taken in (1, 2) if taken <= stones]
            print(*[f"{left:02x}" for left in after] or ["loss"])
    elif word == "names":
        print(*["one", "two"][: int(positions[0], 16)])
    elif word == "text":
        print(int(positions[0], 16), "stones")
    elif word == "parse":
        stones = positions[0]
        print(f"{int(stones):02x}" if stones.isdigit() and int(stones) < 256 else "no heap of stones")
    sys.stdout.flush()
