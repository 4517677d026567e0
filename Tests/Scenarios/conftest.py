"""The stories of the product, told by the real programs on a real pcscd."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Support"))

from backstop import *  # noqa: E402, F401, F403
from gatehouse.fixtures import *  # noqa: E402, F401, F403
