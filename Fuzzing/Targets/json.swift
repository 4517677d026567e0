import Encoding

/// No input stops the reader, and the canonical form of what it accepts is canonical already.
func fuzz(_ input: [UInt8]) {
    guard let value = try? JSON.parse(input) else { return }
    let canonical = value.canonical
    precondition(!canonical.contains(0x0A), "the canonical form is one line")
    guard let again = try? JSON.parse(canonical) else { preconditionFailure("the canonical form is JSON") }
    precondition(again.canonical == canonical, "there is one canonical form")
}
