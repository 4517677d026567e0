import Credentials
import Cryptography
import Foundation
import Glibc
import SiteRules
import Testing
import TrustSync
import Vocabulary

@testable import Storage

/// An office that publishes bundles: it knows the people and when it last changed whom, and nothing about how gates keep them.
final class RepositoryOffice {
    var people: [RecordKey: PublicationRecord] = [:]
    var site: [PublicationRecord]
    var epoch: UInt64 = 1
    private(set) var version: UInt64 = 1
    private var changed: [RecordKey: UInt64] = [:]
    private var sum = StateSum()
    private var zoneSums = ZoneSums(site: "hq")
    private var zoneChanged: [String: UInt64] = [:]
    /// The zones whose people the gates keep that are served next; nil: all.
    var zones: Set<String>?
    /// What headers of changes say of zones in the place of what is so.
    var forged: (([String: [UInt8]]) -> [String: [UInt8]]?)?
    private let folder: TemporaryFolder

    /// UID-only cards may be listed, so that all kinds of records occur.
    static let ceiling = Ceiling(commands: ["tokn", "hold"], audiences: [], groups: nil, longest: nil, uidOnlyCards: true, userVerification: true)

    init(_ records: [PublicationRecord] = [], site: [PublicationRecord] = [.ceiling(ceiling)]) throws {
        folder = try TemporaryFolder()
        self.site = site
        for record in records { replace(RecordKey(record), with: record) }
    }

    // What is decided ----------------------------------------------------------------------------

    /// A new version with some records put and some taken away.
    func publish(_ put: [PublicationRecord] = [], gone: [RecordKey] = []) {
        version += 1
        for record in put { replace(RecordKey(record), with: record) }
        for key in gone { replace(key, with: nil) }
    }

    private func replace(_ key: RecordKey, with record: PublicationRecord?) {
        let before = zoneSums
        if let old = people[key] {
            sum.subtract(old)
            zoneSums.subtract(old, StateElement(old))
        }
        if let record {
            sum.add(record)
            zoneSums.add(record, StateElement(record))
        }
        for zone in zoneSums.zones(unlike: before) { zoneChanged[zone] = version }
        people[key] = record
        changed[key] = version
    }

    /// The keys of targets.
    var keys = KeyMark()

    func skip(to version: UInt64) { self.version = version }

    // What is published --------------------------------------------------------------------------

    private func counts(_ records: [PublicationRecord]) -> PublicationCounts { records.reduce(into: PublicationCounts()) { $0.count($1) } }

    var state: SignedState {
        SignedState(epoch: epoch, version: version, digest: sum.digest(site: "hq", counts: counts(Array(people.values))))
    }

    func update(site name: String = "hq") throws -> RepositoryUpdate {
        RepositoryUpdate(site: name, state: state, siteHash: SHA256.hash(try siteFile()), issuedAt: TrustFixture.now - 60, expiresAt: TrustFixture.now + 3600,
                         zones: zones, keys: keys)
    }

    private func zones(since version: UInt64) -> [String: [UInt8]]? {
        let digests = zoneSums.digests(of: Set(zoneChanged.filter { $0.value > version }.keys))
        return forged?(digests) ?? (forged == nil ? digests : nil)
    }

    private func bundle(_ part: BundlePart, _ items: [BundleItem], counts: PublicationCounts, from: UInt64? = nil) throws -> [UInt8] {
        let header = try BundleHeader(
            part: part, site: "hq", epoch: epoch, version: part == .site ? 1 : version, counts: counts, digest: part == .people ? state.digest : nil, needs: "0.1.0",
            from: from, zones: from.flatMap(zones(since:)))
        var writer = BundleWriter(header)
        var file = writer.head
        for item in items { file += try writer.add(item) }
        try writer.finish()
        return file
    }

    func siteFile() throws -> [UInt8] {
        let sorted = site.sorted { RecordKey($0) < RecordKey($1) }
        return try bundle(.site, sorted.map(BundleItem.put), counts: counts(sorted))
    }

    func full() throws -> [UInt8] {
        let sorted = people.sorted { $0.key < $1.key }.map(\.value)
        return try bundle(.people, sorted.map(BundleItem.put), counts: counts(sorted))
    }

    func changes(from: UInt64) throws -> [UInt8] {
        let keys = changed.filter { $0.value > from }.keys.sorted()
        return try bundle(.people, keys.map { key in people[key].map(BundleItem.put) ?? .gone(key) }, counts: counts(Array(people.values)), from: from)
    }

    // What a gate does with it -------------------------------------------------------------------

    private func descriptor(_ bytes: [UInt8]?) throws -> Int32? {
        guard let bytes else { return nil }
        let name = UUID().uuidString
        try folder.write(bytes, to: name)
        let descriptor = Glibc.open(folder.path(name), O_RDONLY)
        unlink(folder.path(name))
        return descriptor
    }

    @discardableResult
    func apply(full: [UInt8]? = nil, changes: [UInt8]? = nil, to store: TrustStore) throws -> TrustPublication {
        let files = [try descriptor(full ?? self.full()), try descriptor(changes), try descriptor(siteFile())]
        defer { for file in files.compactMap({ $0 }) { Glibc.close(file) } }
        return try store.apply(full: files[0] ?? -1, changes: files[1], site: files[2] ?? -1, try update(), clock: Self.clock)
    }

    @discardableResult
    func change(_ store: TrustStore, from: UInt64? = nil, changes: [UInt8]? = nil, withSite: Bool = false) throws -> TrustPublication {
        let given = try changes ?? from.map { try self.changes(from: $0) }
        let files = [try descriptor(given), withSite ? try descriptor(siteFile()) : nil]
        defer { for file in files.compactMap({ $0 }) { Glibc.close(file) } }
        return try store.apply(changes: files[0], site: files[1], try update(), clock: Self.clock)
    }

    private static let clock = ClockReading(seconds: TrustFixture.now, trust: .synchronised)

    /// Why something is refused; nil: it is not.
    static func refusal(_ body: () throws -> TrustPublication) throws -> ImportError? {
        do {
            _ = try body()
            return nil
        } catch let error as ImportError {
            return error
        }
    }
}
