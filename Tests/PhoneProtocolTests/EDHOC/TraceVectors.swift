import Encoding
import Foundation

/// The values of one file under Vectors: `name = hex`, a line each.
struct TraceVectors {
    let values: [String: [UInt8]]
    let names: [String]

    init(_ file: String) throws {
        let url = try Self.found(file)
        var values: [String: [UInt8]] = [:]
        var names: [String] = []
        for line in try String(contentsOf: url, encoding: .utf8).split(separator: "\n") where !line.hasPrefix("#") {
            let parts = line.components(separatedBy: " = ")
            values[parts[0]] = try Hex.decode(parts[1].trimmingCharacters(in: .whitespaces))
            names.append(parts[0])
        }
        self.values = values
        self.names = names
    }

    private static func found(_ file: String) throws -> URL {
        guard let url = Bundle.module.url(forResource: "Vectors/\(file)", withExtension: "txt") else {
            throw CocoaError(.fileNoSuchFile)
        }
        return url
    }

    /// A value that must be in the file.
    subscript(_ name: String) -> [UInt8] {
        guard let value = values[name] else { preconditionFailure("no \(name) in the vectors") }
        return value
    }
}
