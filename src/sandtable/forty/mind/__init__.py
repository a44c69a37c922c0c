"""How the computer players of 40,000 think.

`mind` is what an edition tells them; `style` says how they differ. `force` knows what models do with all that they
carry, `ground` what terrain hides, and `outlook` sees the battlefield as arrays over units. The arithmetic behind them
is compiled and knows plain arrays only: `field`, `lines`, `markers`, `screens`, `weighing`.
"""
