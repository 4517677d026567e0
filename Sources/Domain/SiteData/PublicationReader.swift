import Credentials
import Cryptography
import Encoding

/// Reads a publication in one file, as offices before the first release made them and archives keep them (`SitePublication`): evidence is held against what it says. It
/// counts by its signature alone: that it has expired since, or that there are newer ones, changes nothing of what the site said.
///
/// It is read piece by piece, with bounded memory: never more than the pieces that are given plus one record, and the names and keys of issuers and gates,
/// which are few.
///
/// The manifest is verified before the first record is given out. Records are given out before the
/// hash of the whole body is known: the caller keeps them apart and uses none of them until `finish`
/// has answered.
public struct PublicationReader: Sendable {
    private let site: String
    private let siteKey: PublicKey
    private var state: State = .manifest
    /// What there is of the manifest.
    private var buffer: [UInt8] = []

    private enum State: Sendable {
        /// The signed manifest has not been seen whole yet.
        case manifest
        /// The manifest is good; records are being read.
        case body(BodyProgress)
        /// The publication was refused, or was read to its end.
        case over
    }

    /// How far the body was read.
    private struct BodyProgress: Sendable {
        let manifest: PublicationManifest
        var digest = HashStream.sha256
        var counts = PublicationCounts()
        var admission: RecordAdmission
        var stream = RecordStream()
        /// Bytes received of the body.
        var received: UInt64 = 0
    }

    /// A reader for one publication of a site.
    public init(site: String, signedBy siteKey: PublicKey) { (self.site, self.siteKey) = (site, siteKey) }

    /// The manifest, once it has been verified; nil before, and after the end.
    public var manifest: PublicationManifest? {
        if case .body(let progress) = state { progress.manifest } else { nil }
    }

    /// Takes the next bytes, any number of them; the answer is the records that are complete now.
    /// After an error the reader refuses everything.
    public mutating func feed(_ bytes: [UInt8]) throws(PublicationError) -> [PublicationRecord] {
        let current = state
        state = .over
        switch current {
        case .manifest:
            buffer += bytes
            return try readManifest()
        case .body(let progress):
            return try readBody(progress, bytes)
        case .over:
            throw .finished
        }
    }

    /// The input has ended: the manifest of a publication that is whole and true.
    public mutating func finish() throws(PublicationError) -> PublicationManifest {
        let current = state
        state = .over
        switch current {
        case .manifest: throw buffer.isEmpty ? .notAPublication : .truncated
        case .body(let progress): return try check(progress)
        case .over: throw .finished
        }
    }
}

extension PublicationReader {
    /// The first byte of a COSE_Sign1: an array of four.
    private static let firstByte: UInt8 = 0x84

    private mutating func readManifest() throws(PublicationError) -> [PublicationRecord] {
        guard buffer.isEmpty || buffer[0] == Self.firstByte else { throw .notAPublication }
        var reader = CBORReader(buffer)
        let item: CBOR
        do throws(CBORError) {
            item = try reader.next()
        } catch {
            guard error.kind == .truncated else { throw .notAPublication }
            guard buffer.count <= SitePublication.longestManifest else { throw .manifestTooLong }
            state = .manifest
            return []
        }
        guard reader.offset <= SitePublication.longestManifest else { throw .manifestTooLong }
        let manifest = try verifiedManifest(item)
        guard manifest.site == site else { throw .wrongSite }
        let rest = Array(buffer[reader.offset...])
        buffer = []
        return try readBody(BodyProgress(manifest: manifest, admission: RecordAdmission()), rest)
    }

    private func verifiedManifest(_ item: CBOR) throws(PublicationError) -> PublicationManifest {
        guard let signed = try? COSESign1(cbor: item), signed.unprotected.isEmpty else { throw .notAPublication }
        guard signed.verify(with: siteKey) else { throw .badSignature }
        guard signed.protected[COSEHeader.contentType]?.text == SitePublication.contentType else {
            throw .wrongContentType
        }
        guard let payload = try? CBOR.decode(signed.payload) else { throw .malformedManifest }
        return try PublicationManifest(cbor: payload)
    }

    private mutating func readBody(_ given: BodyProgress, _ bytes: [UInt8]) throws(PublicationError) -> [PublicationRecord] {
        var progress = given
        progress.received += UInt64(bytes.count)
        guard progress.received <= progress.manifest.bodyLength else { throw .bodyTooLong }
        progress.digest.update(bytes)
        let portion = progress.stream.read(bytes)
        var records: [PublicationRecord] = []
        for item in portion.items {
            let record = try record(item)
            progress.counts.count(record)
            try progress.admission.admit(record, length: item.length)
            records.append(record)
        }
        if let fault = portion.fault { throw fault }
        state = .body(progress)
        return records
    }

    private func record(_ item: RecordStream.Item) throws(PublicationError) -> PublicationRecord {
        if case .other(let cbor) = item.content, let kind = cbor.array?.first?.unsignedInteger,
           !PublicationRecord.Kind.isOfPublications(kind) {
            throw .unknownRecord(offset: item.offset)
        }
        do throws(PublicationRecord.Fault) {
            return try item.record()
        } catch {
            switch error {
            case .malformed: throw .malformedRecord(offset: item.offset)
            case .unknownKind: throw .unknownRecord(offset: item.offset)
            }
        }
    }

    private func check(_ progress: BodyProgress) throws(PublicationError) -> PublicationManifest {
        let manifest = progress.manifest
        guard progress.received == manifest.bodyLength else { throw .truncated }
        guard progress.digest.finish() == manifest.bodyHash else { throw .wrongBodyHash }
        guard progress.stream.isBetweenItems else { throw .malformedRecord(offset: progress.stream.offset) }
        guard progress.counts == manifest.counts else { throw .wrongCounts }
        return manifest
    }
}
