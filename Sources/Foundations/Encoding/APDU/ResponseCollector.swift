/// The reader's side of answers in parts: as long as the card says 61xx, asks with GET RESPONSE
/// (ISO/IEC 7816-4, 5.3.4 and 11.8.1), and puts the parts together.
public struct ResponseCollector: Sendable {
    /// What to do with the response just received.
    public enum Action: Hashable, Sendable {
        /// More waits: send this GET RESPONSE and give its answer to `receive`.
        case send(CommandAPDU)
        /// The whole answer and the status that ended it.
        case complete([UInt8], StatusWord)
    }

    /// The instruction GET RESPONSE.
    public static let getResponse: UInt8 = 0xC0

    private let limit: Int
    private let cla: UInt8
    private var data: [UInt8] = []
    private var hasAsked = false

    /// A collector of an answer of at most `limit` bytes; `cla` is the class byte of GET RESPONSE.
    public init(limit: Int, cla: UInt8 = 0x00) {
        self.limit = limit
        self.cla = cla
    }

    /// Takes the next response.
    /// - Throws: `tooMuchData` when more than the limit has come or is promised, `noProgress` when a
    ///   GET RESPONSE was answered by nothing but another promise. So a card cannot keep a reader busy
    ///   for more responses than the limit has bytes.
    public mutating func receive(_ response: ResponseAPDU) throws(APDUError) -> Action {
        guard response.data.count <= limit - data.count else { throw .tooMuchData(limit: limit) }
        data += response.data
        guard let promised = response.status.availableCount else {
            return .complete(data, response.status)
        }
        // 6100 says "256 or more", any other 61xx the exact rest.
        guard data.count + promised <= limit else { throw .tooMuchData(limit: limit) }
        if hasAsked && response.data.isEmpty { throw .noProgress }
        hasAsked = true
        return .send(CommandAPDU(cla: cla, ins: Self.getResponse, expectedLength: promised))
    }
}
