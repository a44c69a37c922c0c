"""Datasheets and army lists for 10th edition; the entry point "sandtable.packs" leads here."""
