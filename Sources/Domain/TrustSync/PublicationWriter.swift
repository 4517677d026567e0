import Credentials
import Cryptography
import Encoding

/// Makes a publication. The manifest comes first in the file and is known last: the caller writes the
/// body to a file of its own while adding records, and then the signed manifest and the body after
/// one another.
public struct PublicationWriter: Sendable {
    private var digest = SHA256Stream()
    private var length: UInt64 = 0
    private var counts = PublicationCounts()

    /// A body without records.
    public init() {}

    /// Counts a record in; the answer is what to append to the body.
    public mutating func add(_ record: PublicationRecord) -> [UInt8] {
        let encoded = record.encoded
        digest.update(encoded)
        length += UInt64(encoded.count)
        counts.count(record)
        return encoded
    }

    /// The SHA-256 of the body so far.
    public var bodyHash: [UInt8] { digest.finish() }

    /// The signed manifest of the records added so far: what stands before the body. Times are UNIX
    /// seconds. Throws `malformedManifest` for values that no reader would take.
    public func signedManifest(site: String, version: UInt64, issuedAt: Int64, expiresAt: Int64, after predecessor: Predecessor? = nil,
                               key: SigningKey) throws(PublicationError) -> [UInt8] {
        let manifest = PublicationManifest(site: site, version: version, issuedAt: issuedAt, expiresAt: expiresAt,
                                           bodyLength: length, bodyHash: bodyHash, counts: counts, predecessor: predecessor)
        _ = try PublicationManifest(cbor: manifest.cbor)
        do throws(COSEError) {
            let header: CBORMap = [COSEHeader.contentType: .text(SitePublication.contentType)]
            return try COSESign1.sign(payload: manifest.cbor.encoded, protected: header, key: key).encoded
        } catch {
            throw .signingFailed
        }
    }
}
