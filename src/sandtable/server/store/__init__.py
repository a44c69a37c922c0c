"""The database: battles, seats, and every accepted answer. SQLite by default, PostgreSQL by its URL.

A battle is stored as the head of its journal and *leaves*: what the journal gained with one answer or take-back. Leaves
are only ever added. An answer counts when its leaf is committed; nobody has seen its events before. Where a question is
put to several players at once, an answer waits without a leaf until the others are in.

`store` is the door. `opening` makes the connection, `tables` say what is kept, `records` what goes in and out, and
`additions` how all that happened in some battles is kept at once.
"""
