import Encoding

/// The fields of a body: a map of CBOR with small numbers as keys.
struct FetchFields {
    private let map: CBORMap

    init(_ body: ArraySlice<UInt8>) throws(FetchFrameError) {
        let item: CBOR
        do throws(CBORError) {
            item = try CBOR.decode(Array(body))
        } catch {
            throw .body(error.code)
        }
        guard case .map(let map) = item else { throw .body("it is no map") }
        self.map = map
    }

    /// A field that the reader does not know is refused: both sides are of one version.
    func only(_ keys: ClosedRange<Int>) throws(FetchFrameError) {
        for key in map.keys {
            guard let number = key.integer, keys.contains(Int(number)) else { throw .body("it has a field that is unknown") }
        }
    }

    func text(_ key: Int, most: Int) throws(FetchFrameError) -> String? {
        guard let item = map[CBOR(key)] else { return nil }
        guard let text = item.text, text.utf8.count <= most else { throw .body("field \(key) is no text of at most \(most) bytes") }
        return text
    }

    func neededText(_ key: Int, most: Int) throws(FetchFrameError) -> String {
        guard let text = try text(key, most: most) else { throw .body("field \(key) is missing") }
        return text
    }

    func number(_ key: Int, in range: ClosedRange<Int64>) throws(FetchFrameError) -> Int64? {
        guard let item = map[CBOR(key)] else { return nil }
        guard let number = item.integer, range.contains(number) else {
            throw .body("field \(key) is no number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func neededNumber(_ key: Int, in range: ClosedRange<Int64>) throws(FetchFrameError) -> Int64 {
        guard let number = try number(key, in: range) else { throw .body("field \(key) is missing") }
        return number
    }

    /// The body of these fields; those without a value are left out.
    static func body(_ fields: [(Int, CBOR?)]) -> CBOR {
        .map(CBORMap(fields.compactMap { key, value in value.map { (CBOR(key), $0) } }))
    }
}
