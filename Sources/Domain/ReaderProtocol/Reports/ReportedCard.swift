import Encoding

/// A phone or card in the field, as the chip told of it. None of it says who somebody is, except where an installer lets UID-only
/// cards in (V8).
public struct ReportedCard: Hashable, Sendable {
    /// What it can do.
    public enum Kind: UInt8, Hashable, Sendable, CaseIterable {
        /// ISO/IEC 14443-4: it answers APDUs.
        case isoDEP = 0
        /// It has a number and nothing else that we use.
        case plain = 1
    }

    /// Greater than those before it.
    public let presentation: UInt32
    public let kind: Kind
    /// ISO/IEC 14443-3, 6.4.2: the answer to the request.
    public let atqa: UInt16
    /// ISO/IEC 14443-3, 6.4.3.4: the last acknowledgement of the selection.
    public let sak: UInt8
    /// ISO/IEC 14443-3, 6.4.4; phones make it up each time.
    public let uid: [UInt8]
    /// ISO/IEC 14443-4, 5.2: the answer to select, without its length; empty where there was none.
    public let answerToSelect: [UInt8]

    /// What a card number may have.
    public static let uidLengths: Set<Int> = [4, 7, 10]
    /// ISO/IEC 14443-4, 5.2.2: the length, one byte, counts itself.
    public static let mostAnswerToSelectBytes = 254

    /// - Parameters:
    ///   - uid: 4, 7 or 10 bytes.
    ///   - answerToSelect: at most 254 bytes; none of a UID-only card.
    public init(presentation: UInt32, kind: Kind, atqa: UInt16, sak: UInt8, uid: [UInt8], answerToSelect: [UInt8] = []) throws(FrameError) {
        guard Self.uidLengths.contains(uid.count) else { throw .body("a card number has \(uid.count) bytes") }
        guard answerToSelect.count <= Self.mostAnswerToSelectBytes, kind == .isoDEP || answerToSelect.isEmpty else {
            throw .body("an answer to select has \(answerToSelect.count) bytes")
        }
        self.presentation = presentation
        self.kind = kind
        self.atqa = atqa
        self.sak = sak
        self.uid = uid
        self.answerToSelect = answerToSelect
    }

    init(_ fields: inout FrameFields) throws(FrameError) {
        try self.init(presentation: fields.long(), kind: fields.choice(Kind.self), atqa: fields.word(), sak: fields.byte(), uid: fields.counted(),
                      answerToSelect: fields.counted())
    }

    func write(_ text: inout FrameText) {
        text.add(presentation)
        text.add(kind.rawValue)
        text.add(atqa)
        text.add(sak)
        text.add(counted: uid)
        text.add(counted: answerToSelect)
    }
}
