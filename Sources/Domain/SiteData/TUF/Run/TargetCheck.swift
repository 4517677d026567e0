import Cryptography

/// Holds a target against what was signed, piece by piece while it arrives. Nothing of it is to be used before `finish`.
public struct TargetCheck: Sendable {
    private let target: FoundTarget
    private var length: Int64 = 0
    private var sha256: HashStream?
    private var sha512: HashStream?

    /// Begins with no bytes.
    public init(_ target: FoundTarget) {
        self.target = target
        sha256 = target.file.hashes.sha256.map { _ in HashStream.sha256 }
        sha512 = target.file.hashes.sha512.map { _ in HashStream.sha512 }
    }

    /// Takes the next bytes; throws at the first one too many.
    public mutating func add(_ bytes: [UInt8]) throws(UpdateRefusal) {
        guard Int64(bytes.count) <= target.file.length - length else { throw wrongLength }
        length += Int64(bytes.count)
        sha256?.update(bytes)
        sha512?.update(bytes)
    }

    /// Ends: these were all bytes.
    public func finish() throws(UpdateRefusal) {
        guard length == target.file.length else { throw wrongLength }
        guard target.file.hashes.fits(sha256: sha256?.finish() ?? [], sha512: sha512?.finish() ?? []) else {
            throw UpdateRefusal(target.role, .wrongTargetHash)
        }
    }

    private var wrongLength: UpdateRefusal {
        UpdateRefusal(target.role, .wrongTargetLength(expected: target.file.length))
    }
}
