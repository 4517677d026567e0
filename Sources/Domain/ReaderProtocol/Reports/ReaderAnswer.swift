/// A response APDU of the phone of a presentation.
public struct ReaderAnswer: Hashable, Sendable {
    public let presentation: UInt32
    public let apdu: [UInt8]

    /// A status word alone (ISO/IEC 7816-4, 5.1) and the most that libnfc joins.
    public static let lengths = 2...264

    /// - Parameter apdu: 2 to 264 bytes.
    public init(presentation: UInt32, apdu: [UInt8]) throws(ReaderFrameError) {
        guard Self.lengths.contains(apdu.count) else { throw .body(.apdu(apdu.count)) }
        self.presentation = presentation
        self.apdu = apdu
    }

    init(_ fields: inout FrameFields) throws(ReaderFrameError) {
        try self.init(presentation: fields.long(), apdu: fields.others())
    }

    func write(_ text: inout FrameText) {
        text.add(presentation)
        text.add(apdu)
    }
}
