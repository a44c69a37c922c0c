"""Army lists for 11th edition; the entry point "sandtable.packs" leads here."""
