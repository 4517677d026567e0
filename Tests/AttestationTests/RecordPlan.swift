import Encoding

/// What a phone of the tests attests; at first what a site wants, for a key that wants its user verified.
struct RecordPlan {
    var attestationLevel: Int64 = 1
    var keyLevel: Int64 = 1
    var challenge: [UInt8] = Array("a challenge of the server".utf8)
    var packages = ["org.example.gate"]
    var signers = [[UInt8](repeating: 0xA5, count: 32)]
    /// Entries by tag, what is inside [tag].
    var software: [Int: [UInt8]] = [701: DERWriter.number(1_764_000_000_000)]
    var hardware: [Int: [UInt8]] = [
        1: DERWriter.set(DERWriter.number(2)), 2: DERWriter.number(3), 3: DERWriter.number(256), 5: DERWriter.set(DERWriter.number(4)),
        10: DERWriter.number(1), 504: DERWriter.number(2), 505: DERWriter.number(30), 702: DERWriter.number(0),
        704: RecordPlan.boot(), 705: DERWriter.number(160_000), 706: DERWriter.number(202_611), 718: DERWriter.number(20_261_105)
    ]

    static func boot(isLocked: Bool = true, state: Int64 = 0) -> [UInt8] {
        let hash = DERWriter.bytes([UInt8](repeating: 7, count: 32))
        return DERWriter.sequence(hash, DERWriter.boolean(isLocked), DERWriter.number(state, .enumerated), hash)
    }

    private static func list(_ entries: [Int: [UInt8]]) -> [UInt8] {
        DERWriter.element(.sequence, entries.sorted { $0.key < $1.key }.flatMap { DERWriter.element(.context($0.key), $0.value) })
    }

    private var application: [UInt8] {
        let named = packages.flatMap { DERWriter.sequence(DERWriter.bytes(Array($0.utf8)), DERWriter.number(7)) }
        return DERWriter.sequence(DERWriter.element(.set, named), DERWriter.element(.set, signers.flatMap { DERWriter.bytes($0) }))
    }

    /// The value of the extension.
    var bytes: [UInt8] {
        var software = software
        software[709] = software[709] ?? DERWriter.bytes(application)
        return DERWriter.sequence(
            DERWriter.number(300), DERWriter.number(attestationLevel, .enumerated), DERWriter.number(300), DERWriter.number(keyLevel, .enumerated),
            DERWriter.bytes(challenge), DERWriter.bytes([]), Self.list(software), Self.list(hardware))
    }
}
