/// Why bytes are no frame. Nothing that follows them can be read.
public enum ReaderFrameError: Error, Hashable, Sendable {
    /// Another version, or no frame at all.
    case version(UInt8)
    /// A kind that version 1 does not have.
    case kind(UInt8)
    /// A body longer than any may be.
    case length(Int)
    /// The body is not that of its kind.
    case body(ReaderBodyFlaw)

    /// Stable, for operators to search for.
    public var code: String { "nfc-protocol" }

    /// A sentence for people.
    public var message: String {
        switch self {
        case .version(let version): "A frame begins with \(version), which is not version \(ReaderFrame.version)."
        case .kind(let kind): "A frame has the unknown kind \(kind)."
        case .length(let count): "A frame announces \(count) bytes; \(ReaderFrame.mostBodyBytes) is the most."
        case .body(let flaw): "A frame has a body of the wrong form: \(flaw.sentence)."
        }
    }
}

/// What is wrong with the body of a frame.
public enum ReaderBodyFlaw: Hashable, Sendable {
    /// It ends before its last field does.
    case truncated
    /// So many bytes follow its last field.
    case excess(Int)
    /// A field with a list of meanings has none of them.
    case value(UInt8)
    /// A name of a device that is empty, too long, not UTF-8, or has a zero in it.
    case device
    /// An ECP frame that is too long; it has so many bytes.
    case wakeUpFrame(Int)
    /// A time of 0 ms.
    case noTime
    /// An APDU that is too short or too long; it has so many bytes.
    case apdu(Int)
    /// A card number whose length none has (ISO/IEC 14443-3, 6.4.4).
    case uid(Int)
    /// An answer to select that is too long, or that of a card without any.
    case answerToSelect(Int)
    /// A firmware that is too long, or has other than printable characters of ASCII in it.
    case firmware

    var sentence: String {
        switch self {
        case .truncated: "it ends too early"
        case .excess(let count): "\(count) bytes follow its last field"
        case .value(let value): "a field has the unknown value \(value)"
        case .device: "the device has no proper name"
        case .wakeUpFrame(let count): "an ECP frame has \(count) bytes"
        case .noTime: "a time is 0"
        case .apdu(let count): "an APDU has \(count) bytes"
        case .uid(let count): "a card number has \(count) bytes"
        case .answerToSelect(let count): "an answer to select has \(count) bytes"
        case .firmware: "the firmware has no proper name"
        }
    }
}
