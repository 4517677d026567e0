import Foundation

/// A file of vectors: one a line, its columns separated by tabs.
enum VectorFile {
    static func rows(_ name: String) throws -> [[String]] {
        let folder = Bundle.module.resourceURL ?? Bundle.module.bundleURL
        let text = try String(contentsOf: folder.appending(path: "Vectors/\(name)"), encoding: .utf8)
        return text.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
    }
}
