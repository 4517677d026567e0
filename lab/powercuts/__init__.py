"""Power cuts on a board in a box: the board, what it did, what its disk says then, whether the two agree."""
