"""Answers requests, one in each line, by the client in the package of the first argument, from the address of the second."""

import importlib
import json
import sys
from keyword import iskeyword

sys.path.insert(0, sys.argv[1])
module = importlib.import_module("ask")
client = module.Client(module.OverHTTP(sys.argv[2]))

for line in sys.stdin:
    q = json.loads(line)
    try:
        if not q["procedure"]:
            print(json.dumps(getattr(client, q["id"])(**q["request"])))
            continue
        play = getattr(client, "start_" + q["id"])(**q["request"])
        for e in q.get("events", []):
            if play.status != "open":
                raise module.Problem({"code": "not-offered", "detail": play.status})
            event = getattr(play, e["event"] + ("_" if iskeyword(e["event"]) else ""))
            play = event(e.get("input"), dice=e.get("dice")).play
        print(play.sheet)
    except module.Problem as e:
        print(json.dumps({"code": e.code}))
