import Encoding
import Testing

@Suite("Bounds of JSON")
struct JSONBoundsTests {
    private func kind(_ text: String, _ bounds: JSONBounds) -> JSONError.Kind? {
        do throws(JSONError) {
            _ = try JSON.parse(Array(text.utf8), within: bounds)
            return nil
        } catch {
            return error.kind
        }
    }

    @Test("Every value counts, also arrays and objects")
    func values() {
        let text = #"{"a":[1,2],"b":{}}"#
        #expect(kind(text, JSONBounds(values: 5)) == nil)
        #expect(kind(text, JSONBounds(values: 4)) == .tooManyValues)
        #expect(kind("1", JSONBounds(values: 0)) == .tooManyValues)
    }

    @Test("Levels can be fewer than the most, never more")
    func depth() {
        #expect(kind("[[1]]", JSONBounds(depth: 2)) == nil)
        #expect(kind("[[1]]", JSONBounds(depth: 1)) == .tooDeep)
        #expect(kind("[]", JSONBounds(depth: 0)) == .tooDeep)
        let levels = JSON.maximumDepth + 1
        let deep = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
        #expect(kind(deep, JSONBounds(depth: 1000)) == .tooDeep)
    }
}
