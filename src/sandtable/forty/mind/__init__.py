"""How the computer players of 40,000 think.

`field`, `markers`, `screens` and `weighing` are compiled arithmetic over plain arrays; `style` says how players differ.
"""
