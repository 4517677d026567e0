/// What a completed exchange leaves: a shared secret from which applications derive their keys
/// (RFC 9528, 4.2).
public struct EDHOCSession: Sendable {
    public let suite: CipherSuite
    let prkOut: [UInt8]
    let prkExporter: [UInt8]

    init(suite: CipherSuite, prk4e3m: [UInt8], transcript4: [UInt8]) {
        self.suite = suite
        prkOut = KeySchedule.derive(prk4e3m, .prkOut, context: transcript4, length: CipherSuite.hashLength)
        prkExporter = KeySchedule.derive(prkOut, .prkExporter, context: [], length: CipherSuite.hashLength)
    }

    /// EDHOC_Exporter. A pair of label and context serves one purpose only.
    public func export(label: UInt16, context: [UInt8] = [], length: Int) -> [UInt8] {
        KeySchedule.derive(prkExporter, label: Int(label), context: context, length: length)
    }
}
