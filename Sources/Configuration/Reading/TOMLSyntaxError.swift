/// A text that is no TOML.
struct TOMLSyntaxError: Error, Sendable {
    /// What the parser says, without its place.
    let message: String
    let position: TextPosition?
}
