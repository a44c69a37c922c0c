"""The tables of the database."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

LAYOUT: Final = "1"
"""Of the tables; another one is refused."""

metadata = sa.MetaData()

about = sa.Table("sandtable", metadata, sa.Column("layout", sa.String(20), primary_key=True))

battles = sa.Table(
    "battles",
    metadata,
    sa.Column("id", sa.String(20), primary_key=True),
    sa.Column("title", sa.Text, nullable=False),
    sa.Column("system", sa.String(40), nullable=False),
    sa.Column("head", sa.LargeBinary, nullable=False),
    sa.Column("takebacks", sa.String(20), nullable=False),
    sa.Column("listed", sa.Boolean, nullable=False),
    sa.Column("watch", sa.String(64), nullable=False, index=True),
    sa.Column("begun", sa.Float, nullable=False),
    sa.Column("touched", sa.Float, nullable=False, index=True),
    sa.Column("round", sa.Integer, nullable=False),
    sa.Column("asked", sa.String(200), nullable=False),
    sa.Column("result", sa.Text, nullable=True),
)

seats = sa.Table(
    "seats",
    metadata,
    sa.Column("battle", sa.ForeignKey("battles.id"), primary_key=True),
    sa.Column("player", sa.Integer, primary_key=True),
    sa.Column("plays", sa.String(40), nullable=False),
    sa.Column("token", sa.String(64), nullable=True, unique=True),
    sa.Column("invitation", sa.String(64), nullable=True, unique=True),
    sa.Column("orders", sa.Text, nullable=False, default=""),
    sa.Column("so_far", sa.LargeBinary, nullable=False, default=b""),
)

leaves = sa.Table(
    "leaves",
    metadata,
    sa.Column("battle", sa.ForeignKey("battles.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("entries", sa.LargeBinary, nullable=False),
)

answers = sa.Table(
    "answers",
    metadata,
    sa.Column("battle", sa.ForeignKey("battles.id"), primary_key=True),
    sa.Column("player", sa.Integer, primary_key=True),
    sa.Column("nonce", sa.String(80), primary_key=True),
    sa.Column("decision", sa.BigInteger, nullable=False),
    sa.Column("answer", sa.LargeBinary, nullable=False),
    sa.Column("leaf", sa.Integer, nullable=True),
    sa.Column("why", sa.Text, nullable=False),
)


#: One row for each seat that has something to keep; a database of an earlier version gets the table when it is opened.
places = sa.Table(
    "places",
    metadata,
    sa.Column("battle", sa.ForeignKey("battles.id"), primary_key=True),
    sa.Column("player", sa.Integer, primary_key=True),
    sa.Column("seen", sa.Integer, nullable=False),
    sa.Column("hook", sa.Text, nullable=False),
    sa.Column("queue", sa.LargeBinary, nullable=False),
    sa.Column("left", sa.Float, nullable=True),
    sa.Column("increment", sa.Float, nullable=False),
)


#: Battles whose clocks were stopped by agreement.
pauses = sa.Table("pauses", metadata, sa.Column("battle", sa.ForeignKey("battles.id"), primary_key=True))


#: In which order the models of a unit fall, for each unit whose player said so.
falls = sa.Table(
    "falls",
    metadata,
    sa.Column("battle", sa.ForeignKey("battles.id"), primary_key=True),
    sa.Column("player", sa.Integer, primary_key=True),
    sa.Column("unit", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("models", sa.LargeBinary, nullable=False),
)


#: What had been planned at a seat and was given up while nobody was there to hear of it.
notices = sa.Table(
    "notices",
    metadata,
    sa.Column("battle", sa.ForeignKey("battles.id"), primary_key=True),
    sa.Column("player", sa.Integer, primary_key=True),
    sa.Column("given_up", sa.LargeBinary, nullable=False),
)


#: Seats whose webhook is still to be called, and about which question.
due = sa.Table(
    "due",
    metadata,
    sa.Column("battle", sa.ForeignKey("battles.id"), primary_key=True),
    sa.Column("player", sa.Integer, primary_key=True),
    sa.Column("about", sa.BigInteger, nullable=False),
)


#: When, and about which question, the webhook of a seat was last called.
called = sa.Table(
    "called",
    metadata,
    sa.Column("battle", sa.ForeignKey("battles.id"), primary_key=True),
    sa.Column("player", sa.Integer, primary_key=True),
    sa.Column("about", sa.BigInteger, nullable=False),
    sa.Column("at", sa.Float, nullable=False),
)


#: What each leaf told everybody who may watch, for versions that no longer play the battle the same.
told = sa.Table(
    "told",
    metadata,
    sa.Column("battle", sa.ForeignKey("battles.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("first", sa.Integer, nullable=False),
    sa.Column("events", sa.LargeBinary, nullable=False),
)
