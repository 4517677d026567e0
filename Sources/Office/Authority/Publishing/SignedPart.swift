import Cryptography
import Encoding
import SiteData

/// The signed part of each role's metadata (TUF specification, 4).
enum SignedPart {
    /// The version of the specification that is followed.
    private static let specification: JSON = "1.0.34"
    /// When it was signed: gates' clocks are not behind it.
    static let issued = MetadataHeader.issuedMember
    /// What the site decides.
    static let siteData = "site/data"
    /// All people.
    static let peopleFull = "people/full"
    /// What has changed of people since a version.
    static func people(since version: Int64) -> String { "\(peopleSince)\(version)" }
    static let peopleSince = "people/since-"

    /// Version, start and end of one file.
    struct Span {
        let version: Int64
        let issuedAt: Int64
        let validSeconds: Int64
    }

    /// A file that metadata speaks of.
    struct File: Hashable {
        let path: String
        let length: Int
        let hash: [UInt8]

        /// The file below `targets/`: its hash stands before its name (TUF specification, 6.2).
        var fileName: String {
            guard let slash = path.lastIndex(of: "/") else { return "\(Hex.encode(hash)).\(path)" }
            return "\(path[...slash])\(Hex.encode(hash)).\(path[path.index(after: slash)...])"
        }

        var json: JSON { ["length": JSON(length), "hashes": ["sha256": .string(Hex.encode(hash))]] }
    }

    static func root(_ span: Span, keys: [RoleKey], thresholds: [RepositoryRole: Int]) -> JSONObject {
        var all: [(String, JSON)] = []
        var roles: [(String, JSON)] = []
        for role in RepositoryRole.allCases where role.delegator == .root {
            let own = keys.filter { $0.role == role }
            all += own.map { ($0.identifier, $0.key.metadataKey) }
            roles.append((role.rawValue, keysAndThreshold(own, thresholds[role] ?? 1)))
        }
        var signed = header("root", span)
        signed["consistent_snapshot"] = true
        signed["keys"] = .object(JSONObject(all))
        signed["roles"] = .object(JSONObject(roles))
        return signed
    }

    /// The only delegation: whoever signs for people may describe nothing else, and nobody else is asked about them.
    static func targets(_ span: Span, site: File, people: [RoleKey], threshold: Int) -> JSONObject {
        var delegation = keysAndThreshold(people, threshold).object ?? JSONObject()
        delegation["name"] = .string(RepositoryRole.people.rawValue)
        delegation["terminating"] = true
        delegation["paths"] = ["people/*"]
        var signed = header("targets", span)
        signed["targets"] = .object(JSONObject([(site.path, site.json)]))
        signed["delegations"] = [
            "keys": .object(JSONObject(people.map { ($0.identifier, $0.key.metadataKey) })), "roles": [.object(delegation)]
        ]
        return signed
    }

    static func people(_ span: Span, files: [File], state: (name: String, value: JSON)) -> JSONObject {
        var signed = header("targets", span)
        signed["targets"] = .object(JSONObject(files.map { ($0.path, $0.json) }))
        signed[state.name] = state.value
        return signed
    }

    static func snapshot(_ span: Span, targets: Int64, people: Int64) -> JSONObject {
        var signed = header("snapshot", span)
        signed["meta"] = ["targets.json": ["version": JSON(targets)], "people.json": ["version": JSON(people)]]
        return signed
    }

    static func timestamp(_ span: Span, snapshot: Int64) -> JSONObject {
        var signed = header("timestamp", span)
        signed["meta"] = ["snapshot.json": ["version": JSON(snapshot)]]
        return signed
    }

    private static func header(_ type: String, _ span: Span) -> JSONObject {
        let (end, overflow) = span.issuedAt.addingReportingOverflow(span.validSeconds)
        return [
            "_type": .string(type), "spec_version": specification, "version": JSON(span.version),
            "expires": .string(UTCText.make(seconds: overflow ? latest : min(end, latest))), issued: .string(UTCText.make(seconds: span.issuedAt))
        ]
    }

    /// The last second with four digits for the year.
    private static let latest: Int64 = 253_402_300_799

    private static func keysAndThreshold(_ keys: [RoleKey], _ threshold: Int) -> JSON {
        ["keyids": .array(keys.map { .string($0.identifier) }), "threshold": JSON(threshold)]
    }
}
