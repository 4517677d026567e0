import Encoding

/// 32 bytes in hexadecimal; nil for anything else, such as the name of a file.
func digest(_ text: String) -> [UInt8]? {
    guard text.utf8.count == 64 else { return nil }
    return try? Hex.decode(text)
}

/// A time as people and programs read it.
func text(_ seconds: Int64?) -> JSON {
    seconds.map { .string(UTCText.make(seconds: $0)) } ?? .null
}
