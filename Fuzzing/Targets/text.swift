import Encoding

/// Hexadecimal and Base64: whatever is accepted is written as it was read.
func fuzz(_ input: [UInt8]) {
    let text = String(decoding: input, as: UTF8.self)
    if let bytes = try? Hex.decode(text) {
        precondition(Hex.encode(bytes) == text.lowercased(), "hexadecimal text has one form but for case")
    }
    for variant in [Base64.Variant.plain, .url] {
        if let bytes = try? Base64.decode(input, variant) {
            precondition(Base64.encode(bytes, variant) == text, "Base64 text has one form")
        }
        let written = Base64.encode(input, variant)
        precondition((try? Base64.decode(written, variant)) == input, "bytes are read as written")
    }
    precondition((try? Hex.decode(Hex.encode(input))) == input, "bytes are read as written")
}
