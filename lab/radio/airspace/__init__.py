"""Stands between the kernel's virtual Bluetooth controllers and BlueZ's emulator, and makes the air scriptable."""
