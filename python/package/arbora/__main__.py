"""``python -m arbora`` is the command ``arbora``."""

import sys

from arbora.command import main

sys.exit(main())
