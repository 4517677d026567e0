import Encoding

/// What the online role signs about the newest state of people: a gate knows by it, before it fetches anything, whether it has that.
public struct SignedState: Hashable, Sendable {
    /// Versions count within an epoch.
    public let epoch: UInt64
    /// The version.
    public let version: UInt64
    /// The digest of the state, 32 bytes.
    public let digest: [UInt8]

    /// The name of the member in the metadata.
    public static let member = "x-tapstile-state"

    /// A state.
    public init(epoch: UInt64, version: UInt64, digest: [UInt8]) {
        self.epoch = epoch
        self.version = version
        self.digest = digest
    }

    /// Reads `{"digest": hex, "epoch": 1, "version": 7}`; nil if it is anything else.
    public init?(json: JSON?) {
        guard case .object(let object) = json, case .integer(let epoch) = object["epoch"], case .integer(let version) = object["version"],
              epoch > 0, version > 0, case .string(let hex) = object["digest"], let digest = try? Hex.decode(hex),
              digest.count == StateSum.digestLength else { return nil }
        self.init(epoch: UInt64(epoch), version: UInt64(version), digest: digest)
    }

    /// The state as it is signed.
    public var json: JSON {
        .object(["digest": .string(Hex.encode(digest)), "epoch": .integer(Int64(clamping: epoch)), "version": .integer(Int64(clamping: version))])
    }
}
