import Encoding

/// The publication that a site's office had made before this one. By it others notice when two offices work on copies of one folder: their publications
/// count on from the same one, and each replaces what the other has said.
public struct Predecessor: Hashable, Sendable {
    /// Its version.
    public let version: UInt64
    /// The SHA-256 of its body, or the digest of its state.
    public let digest: [UInt8]

    /// A predecessor.
    public init(version: UInt64, digest: [UInt8]) {
        self.version = version
        self.digest = digest
    }

    /// The one that a state names.
    public init(_ state: SignedState) { self.init(version: state.version, digest: state.digest) }

    /// Whether what comes next is of another line than what is in use: made without knowledge of it.
    /// - Parameters:
    ///   - used: version and digest of what is in use.
    ///   - next: version and digest of what comes.
    ///   - predecessor: the one that `next` names; nil for an office that names none, as older ones do.
    public static func isFork(from used: Predecessor, to next: Predecessor, upon predecessor: Predecessor?) -> Bool {
        if next.version == used.version { return next.digest != used.digest }
        // Older ones are refused elsewhere, and of what lies between nobody says anything.
        guard next.version > used.version, let predecessor, predecessor.version <= used.version else { return false }
        return predecessor != used
    }
}

extension Predecessor {
    /// The member that names it in the signed state of a repository. Gates of before take no notice.
    public static let member = "previous"

    /// Reads `{"digest": hex, "version": 6}` in a signed state; nil if it names none.
    public init?(ofState json: JSON?) {
        guard let member = json?[Self.member], let version = member["version"]?.integer, version > 0,
              let digest = member["digest"]?.string.flatMap({ try? Hex.decode($0) }), digest.count == StateSum.digestLength else { return nil }
        self.init(version: UInt64(version), digest: digest)
    }

    /// As it stands in a signed state.
    public var json: JSON { ["digest": .string(Hex.encode(digest)), "version": .integer(Int64(clamping: version))] }
}

extension SignedState {
    /// The state as it is signed, with the one before it.
    public func json(after predecessor: Predecessor?) -> JSON {
        guard let predecessor, case .object(var object) = json else { return json }
        object[Predecessor.member] = predecessor.json
        return .object(object)
    }
}
