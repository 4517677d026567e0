import SiteData

/// What a crowd of gates is told.
struct CrowdOptions {
    /// The first root.
    let root: String
    /// Below it lie `metadata/` and `targets/`.
    let url: String
    /// Who may vouch for the server; nil: the system's.
    let authorities: String?
    /// How many gates.
    let gates: Int
    /// How many of them at one time.
    let atOnce: Int
    /// The version of people that they have from the beginning; nil: they begin with nothing.
    let version: UInt64?
    /// Every so manieth gate reads the bundles as a gate does; all hold them against what was signed.
    let readers: Int
    let site: String

    init(_ words: ArraySlice<String>) throws {
        var values: [String: String] = [:]
        for word in words {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { throw LoadFault("'\(word)' is no OPTION=VALUE") }
            values[String(parts[0])] = String(parts[1])
        }
        func text(_ name: String) throws -> String {
            guard let value = values.removeValue(forKey: name) else { throw LoadFault("there is no \(name)=") }
            return value
        }
        func number(_ name: String, otherwise: Int) throws -> Int {
            guard let value = values.removeValue(forKey: name) else { return otherwise }
            guard let number = Int(value), number > 0 else { throw LoadFault("\(name)=\(value) is no number from 1") }
            return number
        }
        (root, url, site) = (try text("root"), try text("url"), try text("site"))
        authorities = values.removeValue(forKey: "authorities")
        (gates, atOnce, readers) = (try number("gates", otherwise: 10), try number("at-once", otherwise: 8), try number("readers", otherwise: 1))
        version = try values["version"].map { _ in UInt64(try number("version", otherwise: 1)) }
        guard let unknown = values.keys.first else { return }
        throw LoadFault("there is no option \(unknown)=")
    }
}
