import Foundation

/// The metadata that python-tuf made (Vectors/tuf/make.py).
enum MetadataFile {
    static func bytes(_ name: String) throws -> [UInt8] {
        let folder = Bundle.module.resourceURL ?? Bundle.module.bundleURL
        return Array(try Data(contentsOf: folder.appending(path: "Vectors/tuf/\(name).json")))
    }

    /// The same with one piece of text in the place of another.
    static func bytes(_ name: String, replacing text: String, with other: String) throws -> [UInt8] {
        let file = String(decoding: try bytes(name), as: UTF8.self)
        return Array(file.replacingOccurrences(of: text, with: other).utf8)
    }
}
