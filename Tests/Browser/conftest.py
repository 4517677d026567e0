"""What tests of the page in a browser start from."""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "Support"), os.path.join(HERE, "..", "Judges")]

from backstop import *  # noqa: E402, F401, F403
from browser_fixtures import *  # noqa: E402, F401, F403
from gatehouse.fixtures import *  # noqa: E402, F401, F403
