import Credentials
import Cryptography
import Encoding
import Foundation
import Testing
@testable import SiteData

/// The bundles that another program made (Vectors/bundle/make.py), and what is in them.
struct BundleVectors {
    private let facts: JSONObject

    init() throws {
        let folder = Foundation.Bundle.module.resourceURL ?? Foundation.Bundle.module.bundleURL
        let file = try Data(contentsOf: folder.appending(path: "Vectors/bundle/bundles.json"))
        guard case .object(let facts) = try JSON.parse(Array(file)) else { throw Fault.notThere }
        self.facts = facts
    }

    enum Fault: Error { case notThere }

    static let ceiling = Ceiling(
        commands: ["tokn", "hold"], audiences: ["tapstile:hq/lobby", "tapstile:hq/yard"], groups: ["staff", "guests"], longest: 86400 * 400,
        uidOnlyCards: true, userVerification: true)
    static let issuedAt: Int64 = 1_800_000_000

    /// A bundle as it lies in a repository.
    func file(_ name: String) throws -> [UInt8] { try Self.bytes(facts[name]) }

    /// The records of one in their order.
    func records(_ name: String) throws -> [PublicationRecord] {
        guard case .object(let all) = facts["records"], case .array(let list) = all[name] else { throw Fault.notThere }
        return try list.map { try PublicationRecord(cbor: CBOR.decode(Self.bytes($0))) }
    }

    func texts(_ name: String) throws -> [[UInt8]] {
        guard case .array(let list) = facts[name] else { throw Fault.notThere }
        return try list.map { try Self.bytes($0) }
    }

    func objects(_ name: String) throws -> [JSONObject] {
        guard case .array(let list) = facts[name] else { throw Fault.notThere }
        return list.compactMap { if case .object(let object) = $0 { object } else { nil } }
    }

    static func bytes(_ json: JSON?) throws -> [UInt8] {
        guard case .string(let hex) = json else { throw Fault.notThere }
        return try Hex.decode(hex)
    }

    /// What the online role signed about one of the two states.
    func state(_ index: Int) throws -> SignedState {
        SignedState(epoch: 3, version: index == 0 ? 5 : 7, digest: try texts("digests")[index])
    }

    func expecting(people index: Int, having: UInt64? = nil) throws -> BundleExpectation {
        BundleExpectation(site: "hq", state: try state(index), having: having, ceiling: Self.ceiling, issuedAt: Self.issuedAt)
    }
}

extension BundleReader {
    /// Reads a file in pieces.
    static func read(
        _ file: [UInt8], _ expectation: BundleExpectation, pieces: Int = 1000
    ) throws(BundleError) -> (header: BundleHeader, items: [BundleItem]) {
        var reader = BundleReader(expecting: expectation)
        var items: [BundleItem] = []
        var start = 0
        while start < file.count {
            let end = min(start + pieces, file.count)
            items += try reader.feed(Array(file[start..<end]))
            start = end
        }
        return (try reader.finish(), items)
    }

    /// Why it is refused; nil: it is not.
    static func refusal(of file: [UInt8], _ expectation: BundleExpectation) -> BundleError? {
        do throws(BundleError) {
            _ = try read(file, expectation)
            return nil
        } catch {
            return error
        }
    }
}
