"""Datasheets and army lists for 8th edition; the entry point "sandtable.packs" leads here."""
