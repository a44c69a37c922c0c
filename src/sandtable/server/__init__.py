"""The server: battles for people far apart, with computer players, spectators and replays.

It knows no rules system by name: everything goes through the public API of the machine and the players.

- `running` starts it all; `app` has the routes, behind the `gate`. `sockets` is one connection, `protocol` what is said
  there, with its `schemas`. `limits` and `shares` say how much anybody may have, `in_turn` who is next.
- The `hall` knows all battles. `sitting` is one of them with those who sit around it, and `playing` the battle itself;
  `seats` and their secrets, `clocks`, `falls` and `queues` are what players have there.
- `attending` answers for seats that answer by themselves. `thinking` hands what takes long to the processes of
  `worker`, and `searching` does so for what is near a refused answer; `calling` and its `hooks` tell who is away.
- What can be asked at the table: `surveys`, `shade`, `rulings` with their `proofs`, `moments` and `disputes`; `showing`
  tells the state, `told`, `reminded`, `score` and `taken_back` what happened, and `agreeing` is for what needs consent.
- Beside the battles: the `catalogue` of what can begin, `lists` and files that are `dropped`, `chances`, and `pages`.
- The `store` is the database; `lanes` are the threads for it and for the engine, and `memory` is given back.
"""
