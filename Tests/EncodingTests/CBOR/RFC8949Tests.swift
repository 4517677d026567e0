import Encoding
import Testing

@Suite("RFC 8949")
struct RFC8949Tests {
    @Test("Appendix A: read, compared with the diagnostic notation, and written again")
    func appendixA() throws {
        let rows = try VectorFile.rows("rfc8949-appendix-a.txt")
        #expect(rows.count == 81)
        for row in rows {
            let bytes = try Hex.decode(row[0])
            switch row[2] {
            case "deterministic":
                let item = try CBOR.decode(bytes)
                #expect(matches(item, row[1]), "\(row)")
                #expect(Hex.encode(item.encoded) == row[0])
                #expect(try CBOR.decode(bytes, rules: .wellFormed) == item)
            case "tolerated":
                let item = try CBOR.decode(bytes, rules: .wellFormed)
                #expect(matches(item, row[1]), "\(row)")
                #expect(throws: CBORError(.notShortest, at: 0)) { try CBOR.decode(bytes) }
            case let code:
                #expect(refusal(bytes, .deterministic) == code, "\(row)")
                #expect(refusal(bytes, .wellFormed) == code, "\(row)")
            }
        }
    }

    @Test("Appendix F: what is not well-formed is refused under both rules, and why")
    func appendixF() throws {
        let rows = try VectorFile.rows("rfc8949-appendix-f.txt")
        #expect(rows.count == 94)
        for row in rows {
            let bytes = try Hex.decode(row[0])
            #expect(refusal(bytes, .wellFormed) == row[1], "\(row)")
            #expect(refusal(bytes, .deterministic) != nil, "\(row)")
        }
    }

    /// Floats alone are compared by value: there are several ways to write them.
    private func matches(_ item: CBOR, _ notation: String) -> Bool {
        if case .float(let value) = item, value.isFinite {
            return Double(notation)?.bitPattern == value.bitPattern
        }
        return item.diagnostic == notation
    }
}

/// The code of the refusal; nil if `bytes` are accepted.
func refusal(_ bytes: [UInt8], _ rules: CBORRules) -> String? {
    do {
        _ = try CBOR.decode(bytes, rules: rules)
        return nil
    } catch {
        return error.code
    }
}
