import Encoding

/// `suites = [ 2* int ] / int` (RFC 9528, 5.2.1): one suite is written without an array around it.
enum SuiteList {
    /// Most suites read from a message_1. The registry has fewer than twelve.
    static let maximumCount = 16

    static func encode(_ suites: [Int]) -> CBOR {
        suites.count == 1 ? CBOR(suites[0]) : .array(suites.map { CBOR($0) })
    }

    static func decode(_ item: CBOR) throws(EDHOCError) -> [Int] {
        if let number = item.integer {
            guard let suite = Int(exactly: number) else { throw .malformed("suites") }
            return [suite]
        }
        guard let items = item.array, (2...maximumCount).contains(items.count) else { throw .malformed("suites") }
        var suites: [Int] = []
        for item in items {
            guard let number = item.integer, let suite = Int(exactly: number) else { throw .malformed("suites") }
            suites.append(suite)
        }
        return suites
    }
}
