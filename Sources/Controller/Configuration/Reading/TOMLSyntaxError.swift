/// A text that is no TOML.
package struct TOMLSyntaxError: Error, Sendable {
    /// What the parser says, without its place.
    package let message: String
    package let position: TextPosition?
}
