/// The header of an answer, as its lines come. There may be several before the last: those of answers that are none yet (RFC 9110, 15.2).
struct AnswerHeader {
    /// All lines of all headers of one transfer.
    static let mostBytes = 65_536

    // As the server wrote them, without the white space around them.
    private(set) var etag: [UInt8]?
    private(set) var contentRange: [UInt8]?
    private var date: [UInt8]?
    private var lastModified: [UInt8]?
    private var count = 0

    /// One line with its end. False: there are too many.
    mutating func read(_ line: UnsafeRawBufferPointer) -> Bool {
        count += line.count
        guard count <= Self.mostBytes else { return false }
        if line.starts(with: "HTTP/".utf8) {
            (etag, date, lastModified, contentRange) = (nil, nil, nil, nil)
        } else if let value = Self.value(of: "etag:", in: line) {
            etag = value
        } else if let value = Self.value(of: "date:", in: line) {
            date = value
        } else if let value = Self.value(of: "last-modified:", in: line) {
            lastModified = value
        } else if let value = Self.value(of: "content-range:", in: line) {
            contentRange = value
        }
        return true
    }

    /// - Parameter name: in lower case.
    private static func value(of name: String, in line: UnsafeRawBufferPointer) -> [UInt8]? {
        let isThat = zip(line, name.utf8).allSatisfy { byte, wanted in ((0x41...0x5A).contains(byte) ? byte | 0x20 : byte) == wanted }
        guard line.count >= name.utf8.count, isThat else { return nil }
        let isBlank: (UInt8) -> Bool = { $0 <= 0x20 }
        return Array(line.dropFirst(name.utf8.count).drop(while: isBlank).reversed().drop(while: isBlank).reversed())
    }

    /// The tag of this version of the file. Nil also where the file was written in the very second of the answer: it may be written once more
    /// in it, and servers that make tags of the second and the length (nginx) would give that version the same one (RFC 9110, 8.8.1).
    var tag: [UInt8]? { lastModified != nil && lastModified == date ? nil : etag }

    /// Where the part begins that is sent (RFC 9110, 14.4); nil where it does not say so.
    var rangeStart: Int64? {
        guard let contentRange, contentRange.starts(with: "bytes ".utf8) else { return nil }
        let digits = contentRange.dropFirst(6).prefix { (0x30...0x39).contains($0) }
        guard contentRange.dropFirst(6 + digits.count).first == UInt8(ascii: "-") else { return nil }
        return Int64(String(decoding: digits, as: UTF8.self))
    }
}
