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
        is_heap = positions[0].isdecimal() and int(positions[0]) < 256
        print(f"{int(positions[0]):02x}" if is_heap else "no it is no number of stones below 256")
    if word != "rules":
        print("end")
    sys.stdout.flush()
