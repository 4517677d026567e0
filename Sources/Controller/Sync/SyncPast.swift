import Encoding
import Files
import Threads

/// When synchronising last went well, also before the last start: an operator who looks at a gate after a power cut wants to know how old its data are.
/// Times are UNIX milliseconds. It decides nothing; a file that is lost or damaged is none.
package struct SyncPast: Equatable, Sendable {
    private static let fileName = "sync.last"
    private static let longest = 1024

    let lastSuccess: Int64
    /// When there was something new.
    let lastChange: Int64?
    /// When the roles end that were verified then; nil where an older program did.
    let ends: RoleEnds?

    package init(lastSuccess: Int64, lastChange: Int64?, ends: RoleEnds? = nil) {
        self.lastSuccess = lastSuccess
        self.lastChange = lastChange
        self.ends = ends
    }

    /// What a gate of this site remembers; nil where there is nothing.
    /// - Parameter directory: the state folder.
    package init?(directory: String, site: String) {
        guard let bytes = try? SmallFile.read(Self.path(directory), limit: Self.longest), let items = (try? CBOR.decode(bytes))?.array, (3...4).contains(items.count),
              items[0].text == site, let success = items[1].integer else { return nil }
        self.init(lastSuccess: success, lastChange: items[2].integer, ends: items.count > 3 ? RoleEnds(items[3]) : nil)
    }

    /// Remembers it, on the disk.
    func write(directory: String, site: String) throws(SystemError) {
        let items: [CBOR] = [.text(site), CBOR(lastSuccess), lastChange.map { CBOR($0) } ?? .null] + (ends.map { [$0.cbor] } ?? [])
        try SmallFile.replace(Self.path(directory), with: CBOR.array(items).encoded)
    }

    private static func path(_ directory: String) -> String { "\(directory)/\(fileName)" }
}
