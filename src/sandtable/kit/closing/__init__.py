"""Moves that seek the enemy: charges, pile-ins, consolidations and whatever else an edition calls them.

An edition says what such a move has to come to in a `Contact`, and how one is found and judged in a `Plan`; `question`
makes of it what the machine asks for. The search stands in the other modules: `joining` finds some move that meets the
conditions, `in_force` one that brings as many as may be to the enemy, `instead` a better one than was chosen, `least`
how far it takes, `climbing` and `across` ways that are not straight.
"""
