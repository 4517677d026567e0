/// A command APDU for the phone of a presentation.
public struct ReaderCommand: Hashable, Sendable {
    public let presentation: UInt32
    public let apdu: [UInt8]

    /// The shortest command (ISO/IEC 7816-4, 5.2) and the longest that libnfc takes without looking: it copies what is longer
    /// beyond its own buffer.
    public static let lengths = 4...262

    /// - Parameter apdu: 4 to 262 bytes.
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
