/// Texts the tests start from.
enum Sample {
    /// Only what is needed.
    static let smallest = """
        [site]
        id = "hill"
        [gate]
        id = "gate-1"
        signing-key = "/keys/sign"
        [trust]
        root = "/keys/root.json"
        [[lane]]
        name = "entry"
        [lane.relay]
        chip = "gpiochip0"
        line = 17
        [[reader]]
        name = "in"
        lane = "entry"
        match = { serial = "A1" }
        """
}
