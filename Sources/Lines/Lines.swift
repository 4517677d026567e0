// Lines
