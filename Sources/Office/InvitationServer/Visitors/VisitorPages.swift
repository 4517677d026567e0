import Cryptography
import Encoding
import Files
import Glibc
import Threads
import WebServer

/// The files of the page for visitors, all read at once: what is asked for is looked up by its whole name, and no path reaches the disk.
struct VisitorPages: Sendable {
    private struct Page: Sendable {
        let type: String
        let content: SharedBytes
        let tag: String
    }

    private let pages: [String: Page]

    /// Where packages put them.
    static let usualFolder = "/usr/share/tapstile/visitor"
    private static let index = "index.html"
    private static let mostFiles = 64, mostBytes = 1 << 20
    private static let secret = Array("PRIVATE KEY-----".utf8)
    private static let types = [
        "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8",
        "webmanifest": "application/manifest+json", "json": "application/json", "png": "image/png", "svg": "image/svg+xml", "ico": "image/x-icon",
        "txt": "text/plain; charset=utf-8"
    ]

    /// None: phones are served all the same.
    init() { pages = [:] }

    /// Reads a folder. Files whose names begin with a dot, folders, and what has no known ending are left out.
    init(folder: String) throws(WebServerError) {
        let names: [String]
        do throws(SystemError) {
            names = try FileDescriptor(path: folder, flags: O_RDONLY | O_DIRECTORY).names(withHidden: false)
        } catch {
            throw .badAsset("The page for visitors is not there: \(error.message)")
        }
        var pages: [String: Page] = [:], bytes = 0
        for name in names {
            guard let type = name.lastIndex(of: ".").flatMap({ Self.types[String(name[name.index(after: $0)...])] }), Self.isPlain(name) else { continue }
            let content: [UInt8]
            do throws(SystemError) {
                // A link would publish whatever it leads to.
                let file = try FileDescriptor(path: "\(folder)/\(name)", flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
                try file.checkIsFile()
                content = try SmallFile.read(file, limit: Self.mostBytes)
            } catch {
                throw .badAsset(error.message)
            }
            guard !content.contains(Self.secret) else { throw .badAsset("\(folder)/\(name) holds a private key, which everybody would be shown.") }
            bytes += content.count
            guard bytes <= Self.mostBytes, pages.count < Self.mostFiles else { throw .badAsset("\(folder) has more in it than a page for visitors.") }
            pages[name] = Page(type: type, content: SharedBytes(content), tag: "\"\(Hex.encode(SHA256.hash(content).prefix(16)))\"")
        }
        guard pages[Self.index] != nil else { throw .badAsset("\(folder) has no \(Self.index).") }
        self.pages = pages
    }

    /// What is there under a name; nil: nothing. An empty name is the page itself. Browsers ask each time whether they have the newest one.
    func answer(_ name: String, known: String?) -> WebAnswer? {
        guard let page = pages[name.isEmpty ? Self.index : name] else { return nil }
        let headers: [(name: String, value: String)] = [("Cache-Control", "no-cache"), ("ETag", page.tag)]
        if known == page.tag { return WebAnswer(status: 304, headers: headers) }
        return WebAnswer(status: 200, headers: headers + [("Content-Type", page.type)], body: .shared(page.content))
    }

    private static func isPlain(_ name: String) -> Bool {
        name.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x2E || $0 == 0x5F }
    }
}
