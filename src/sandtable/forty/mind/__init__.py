"""How the computer players of 40,000 think.

`mind` is what an edition tells them; `style` says how they differ. `force` knows what models do with all that they
carry, `ground` what terrain hides, and `outlook` sees the battlefield as arrays over units; `stakes` knows what the
mission pays, `plan` sends units to markers, and `going` weighs places by all of these. `shots` and `combat` answer the
questions of their phases. The arithmetic is compiled and knows plain arrays only: `field`, `lines`, `markers`,
`screens` (who stands in the way of a charge), `weighing`.
"""
