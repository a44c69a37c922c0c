"""Services for editions of 40,000: they know datasheets, weapons and abilities, and no edition."""
