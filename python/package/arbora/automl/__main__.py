"""``python -m arbora.automl`` is the command ``arbora automl``."""

import sys

from arbora.automl.command import main

sys.exit(main())
