"""How the computer players of 40,000 think, in any edition that fills in a `mind.Mind`.

- `tactics` is the door: which module answers which question. `style` says how players differ.
- `force` knows what models do with all that they carry, `ground` what terrain hides, and `outlook` sees the battlefield
  as arrays over units.
- `contest` is what is fought over, and `stakes` what the mission pays for it; `plan` sends units to markers, and
  `places` weighs where units could go by all of these.
- `setting_up`, `moves`, `shots` and `combat` answer the questions of their phases, `reactions` and `abilities` those
  that come in between; `pointing` takes units where a person points.
- `blunders` looks over everybody's shoulders, and shares nothing with them.
- The arithmetic is compiled, and knows plain arrays only: `field`, `lines`, `markers`, `screens`, `weighing`.
"""
