import Encoding

/// No input stops the reader, and whatever it accepts is written as it was read.
func fuzz(_ input: [UInt8]) {
    if let item = try? CBOR.decode(input) {
        precondition(item.encoded == input, "the deterministic encoding is the only one accepted")
        precondition((try? CBOR.decode(input, rules: .wellFormed)) == item, "both rules read the same")
    }
    if let item = try? CBOR.decode(input, rules: .wellFormed) {
        let again = try? CBOR.decode(item.encoded)
        precondition(again == item, "what is written is deterministic and means the same")
        precondition(again?.hashValue == item.hashValue, "equal items have equal hashes")
        precondition(item.isEncoded(as: input) == ((try? CBOR.decode(input)) != nil), "one form alone is deterministic")
    }
    readSequence(input, .deterministic)
    readSequence(input, .wellFormed)
}

private func readSequence(_ input: [UInt8], _ rules: CBORRules) {
    var reader = CBORReader(input, rules: rules)
    var raw: [UInt8] = []
    while !reader.isAtEnd, let next = try? reader.nextRaw() {
        raw += next.raw
        precondition(reader.offset == raw.count, "the offset counts whole items")
    }
    precondition(input.starts(with: raw), "raw bytes are the bytes received")
    precondition(reader.isAtEnd == (raw.count == input.count), "at the end all is read")
}
