#!/usr/bin/env python3
"""Checks the log or a transcript of a table (rules serve --session) without the program that wrote it.

It recomputes the chain of lines, each commitment, the seal of the server and the seed of each roll whose dice nobody chose,
and says who was left out. It carries out no rules: "rules verify" does. Only the standard library is needed.

usage: session.py LOG
       session.py --seed OPENING ID=NONCE...    the seed of a round whose opening line has a digest
"""
import hashlib
import json
import sys


def digest(*parts):
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def seed_of(opening, nonces):
    first = hashlib.sha256("\n".join(["rules session seed 1", opening] + [f"{who} {x}" for who, x in nonces]).encode())
    return int.from_bytes(first.digest()[:8], "little") >> 11


class Wrong(Exception):
    pass


def need(holds, text):
    if not holds:
        raise Wrong(text)


class Log:
    def __init__(self):
        self.head, self.n, self.at, self.session, self.names, self.round = "", 0, 0, None, {}, None
        self.hidden, self.fallen, self.told = {}, {}, []

    def add(self, line):
        self.n += 1
        record = json.loads(line)
        if set(record) == {"hidden"}:
            self.head = record["hidden"]
            self.hidden[self.n] = self.head
            return
        need(record["n"] == self.n, f"its number is {record['n']}")
        need(record.get("prev", "") == self.head, "the line before it was changed")
        need(record["at"] >= self.at, "it is older than the line before it")
        self.at, self.head = record["at"], hashlib.sha256(line.encode()).hexdigest()
        body = next(k for k in record if k not in ("n", "prev", "at", "by"))
        if hasattr(self, "on_" + body):
            getattr(self, "on_" + body)(record, record[body])

    def on_begin(self, record, body):
        self.session = body["session"]

    def on_join(self, record, body):
        self.names[record["by"]] = body["name"]

    def on_open(self, record, body):
        need(self.round is None, "two rounds at once")
        need(len(set(body["among"])) == len(body["among"]), "one takes part twice")
        self.round = {"n": self.n, "digest": self.head, "open": body, "committed": {}, "nonces": {}, "omitted": [], "server": None}

    def part(self, body):
        need(self.round and body["round"] == self.round["n"], "there is no such round")
        return self.round

    def left(self):
        return [x for x in self.round["open"]["among"] if x not in self.round["omitted"]]

    def on_commit(self, record, body):
        r, who = self.part(body), record["by"]
        need(who in self.left() and who not in r["committed"], f"{who} may not commit")
        need(not r["nonces"], "it is committed after a nonce is known")
        r["committed"][who] = body["commitment"]

    def on_reveal(self, record, body):
        r, who, nonce = self.part(body), record["by"], body["nonce"]
        if who == "server":
            need(set(self.left()) <= set(r["nonces"]), "the server reveals before a player")
            need(digest("rules session seal 1", self.session, str(r["n"]), nonce) == r["open"]["seal"],
                 "the server reveals another nonce than it has sealed")
            r["server"] = nonce
            return
        need(who in self.left() and set(self.left()) <= set(r["committed"]), f"{who} reveals before all have committed")
        need(digest("rules session commitment 1", r["digest"], who, nonce) == r["committed"][who],
             f"{who} reveals another nonce")
        need(who not in r["nonces"], f"{who} reveals twice")
        r["nonces"][who] = nonce

    def on_omit(self, record, body):
        r = self.part(body)
        need(body["who"] in self.left() and body["who"] not in r["nonces"], f"{body['who']} is left out wrongly")
        r["omitted"].append(body["who"])
        need(self.left(), "all are left out")

    def on_call_off(self, record, body):
        r = self.part(body)
        self.told.append(f"line {r['n']}: called off by {self.name(record['by'])} with {len(r['nonces'])} nonces revealed"
                         + (": " + body["why"] if body.get("why") else ""))
        self.round = None

    def seed_of_round(self, record, body):
        r = self.part(body)
        need(record["by"] == "server" and r["server"] is not None, "the dice fall before all have revealed")
        nonces = [(x, r["nonces"][x]) for x in self.left()] + [("server", r["server"])]
        return r, seed_of(r["digest"], nonces)

    def on_fell(self, record, body):
        """Dice on which somebody decides: what is rolled with them must have their seed."""
        seed = None
        need(not ("round" in body and "of" in body), "the dice of a round go on from a record")
        if "round" in body:
            r, seed = self.seed_of_round(record, body)
            need(body["throw"] == f"seed {seed}", f"the dice are not those of the seed {seed}")
            need(body["question"] == r["open"]["question"], "another roll falls than was asked for")
            self.tell_round(seed)
        elif body.get("of"):
            seed = self.fallen.get(body["of"])
        self.fallen[self.n] = seed

    def on_roll(self, record, body):
        receipt = body["receipt"]
        need(not ("round" in body and "of" in body), "the dice of a round go on from a record")
        if body.get("of"):
            seed = self.fallen.get(body["of"])
            need(seed is None or receipt.get("seed") == seed and "given" not in receipt,
                 f"the dice are not those of the seed {seed}")
        if "round" not in body:
            return
        r, seed = self.seed_of_round(record, body)
        need(receipt.get("seed") == seed and "given" not in receipt, f"the dice are not those of the seed {seed}")
        asked = r["open"]["question"]
        need(receipt["rule"] == asked["rule"], "another rule was rolled than was asked for")
        for part in ("character", "input"):
            need(receipt[part] == asked[part], f"the {part} is another one than was asked for")
        self.tell_round(seed)

    def tell_round(self, seed):
        r = self.round
        without = f", without {', '.join(map(self.name, r['omitted']))}" if r["omitted"] else ""
        self.told.append(f"line {self.n}: seed {seed} of {', '.join(map(self.name, self.left()))} and the server{without}")
        self.round = None

    def name(self, who):
        return self.names.get(who, who)


def main(args):
    if args[:1] == ["--seed"]:
        print(seed_of(args[1], [x.split("=", 1) for x in args[2:]]))
        return 0
    with open(args[0], encoding="utf-8", newline="") as f:
        lines = f.read().split("\n")
    torn, log = lines.pop(), Log()
    for line in lines:
        try:
            log.add(line)
        except (Wrong, KeyError, ValueError, StopIteration) as problem:
            print(f"{args[0]}:{log.n}: {problem!r}" if not isinstance(problem, Wrong) else f"{args[0]}:{log.n}: {problem}")
            return 1
    print(f"{log.n} lines, one chain, {len(log.hidden)} of them hidden" + (f"; {len(torn)} torn letters" if torn else ""))
    print(*log.told, sep="\n" if log.told else "", end="\n" if log.told else "")
    return 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        print(__doc__)
        sys.exit(2)
    sys.exit(main(sys.argv[1:]))
