"""Python runs this as it starts where this folder is on its path: a server then plays the system beside it, too."""

from pathlib import Path

from sandtable import systems

OWN = "twelve"
shipped = systems.known

systems.IDS = (*systems.IDS, OWN)
systems.known = lambda: (*shipped(), OWN)
systems.__path__.append(str(Path(__file__).parent))
