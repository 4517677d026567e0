import Encoding
import Foundation
import Testing

/// One case of a vector file: named strings of hexadecimal digits.
struct Vector: Decodable, CustomTestStringConvertible {
    let values: [String: String]
    let algorithm: Int?

    init(from decoder: any Decoder) throws {
        var values: [String: String] = [:]
        var algorithm: Int?
        let container = try decoder.container(keyedBy: Name.self)
        for key in container.allKeys {
            if key.stringValue == "algorithm" {
                algorithm = try container.decode(Int.self, forKey: key)
            } else {
                values[key.stringValue] = try container.decode(String.self, forKey: key)
            }
        }
        self.values = values
        self.algorithm = algorithm
    }

    var testDescription: String { values["name"] ?? "unnamed" }

    subscript(name: String) -> [UInt8] {
        get throws { try Hex.decode(#require(values[name], "no \(name) in \(testDescription)").lowercased()) }
    }

    static func load(_ file: String) -> [Vector] {
        guard let url = Bundle.module.url(forResource: file, withExtension: "json", subdirectory: "Vectors"),
              let data = try? Data(contentsOf: url),
              let vectors = try? JSONDecoder().decode([Vector].self, from: data), !vectors.isEmpty else {
            Issue.record("no vectors in \(file).json")
            return []
        }
        return vectors
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
