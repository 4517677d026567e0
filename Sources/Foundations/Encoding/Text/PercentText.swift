/// Percent-encoding (RFC 3986, 2.1).
public enum PercentText {
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// A text as one part of a path and of a file's name: every byte of its UTF-8 that is not unreserved
    /// (RFC 3986, 2.3) becomes `%XX`. The slash too, so that no name leads to another folder; but `.` and
    /// `..` stay what they are, and whoever uses the result alone must put something beside it.
    public static func encode(_ text: String) -> String {
        var encoded: [UInt8] = []
        encoded.reserveCapacity(text.utf8.count)
        for byte in text.utf8 { append(byte, to: &encoded, if: isUnreserved(byte)) }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// A path with slashes, of which other characters than those of a URL's path (RFC 3986, 3.3) are
    /// encoded. What is encoded already stays as it is.
    public static func encodePath(_ path: String) -> String {
        var encoded: [UInt8] = []
        encoded.reserveCapacity(path.utf8.count)
        for byte in path.utf8 { append(byte, to: &encoded, if: isOfPath(byte)) }
        return String(decoding: encoded, as: UTF8.self)
    }

    private static func append(_ byte: UInt8, to encoded: inout [UInt8], if stays: Bool) {
        if stays {
            encoded.append(byte)
        } else {
            encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
             UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: false
        }
    }

    private static let alsoOfPaths = Array("!$&'()*+,;=:@/%".utf8)

    private static func isOfPath(_ byte: UInt8) -> Bool { isUnreserved(byte) || alsoOfPaths.contains(byte) }
}
