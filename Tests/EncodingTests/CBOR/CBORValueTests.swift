import Encoding
import Testing

@Suite("CBOR values")
struct CBORValueTests {
    @Test("Integers at the edges")
    func integers() {
        let edges: [(Int64, String)] = [
            (0, "00"), (23, "17"), (24, "1818"), (255, "18ff"), (256, "190100"), (65_535, "19ffff"),
            (65_536, "1a00010000"), (4_294_967_295, "1affffffff"), (4_294_967_296, "1b0000000100000000"),
            (.max, "1b7fffffffffffffff"), (-1, "20"), (-24, "37"), (-25, "3818"), (-256, "38ff"),
            (-257, "390100"), (.min, "3b7fffffffffffffff")
        ]
        for (value, hex) in edges {
            #expect(Hex.encode(CBOR(value).encoded) == hex)
            #expect(CBOR(value).integer == value)
        }
        #expect(CBOR.unsigned(1 << 63).integer == nil)
        #expect(CBOR.negative(1 << 63).integer == nil)
        #expect(CBOR.unsigned(.max).unsignedInteger == .max)
        #expect(CBOR(-1).unsignedInteger == nil)
    }

    @Test("Each accessor answers for its own kind and no other")
    func accessors() {
        let all: [CBOR] = [1, "t", true, [1], ["k": "v"], .bytes([1]), .null, .float(1), .tagged(1, 1)]
        #expect(all.compactMap(\.integer) == [1])
        #expect(all.compactMap(\.text) == ["t"])
        #expect(all.compactMap(\.bool) == [true])
        #expect(all.compactMap(\.array) == [[1]])
        #expect(all.compactMap(\.map) == [["k": "v"]])
        #expect(all.compactMap(\.bytes) == [[1]])
        #expect(all.compactMap(\.double) == [1])
        #expect(all.filter(\.isNull) == [.null])
        #expect(all.compactMap { $0["k"] } == ["v"])
        #expect(CBOR.false.bool == false)
    }

    @Test("A map keeps its order through insertion, replacement and removal")
    func mapMutation() {
        var map: CBORMap = [10: "ten", "a": "text"]
        map[-1] = "minus one"
        map[100] = "hundred"
        map[10] = "TEN"
        #expect(map.keys == [10, 100, -1, "a"])
        #expect(map[10] == "TEN")
        map[100] = nil
        map[101] = nil
        #expect(map.count == 3)
        #expect(map == [-1: "minus one", 10: "TEN", "a": "text"])
        #expect(CBORMap([(1, "first"), (1, "second")]) == [1: "second"])
        #expect(CBORMap().isEmpty)
    }

    @Test("Keys that Unicode calls equivalent are two keys")
    func equivalentKeys() throws {
        let bytes = try Hex.decode("a2" + "62c3a9" + "01" + "6365cc81" + "02")
        let map = try CBOR.decode(bytes)
        #expect(map["\u{E9}"] == 1)
        #expect(map["e\u{301}"] == 2)
        #expect(map.encoded == bytes)
    }

    @Test("Equal items have equal hashes")
    func hashes() {
        let all: [CBOR] = [
            0, -1, "a", .bytes([0x61]), [0], [0: 0], .tagged(0, 0), .simple(0), .float(0), .float(-0.0),
            .float(.nan)
        ]
        #expect(Set(all + all).count == all.count)
        #expect(Set([CBOR.float(.nan), .float(-.nan), .float(.signalingNaN)]).count == 1)
    }

    @Test("Floats take the shortest form that keeps them")
    func shortestFloats() {
        let edges: [(Double, String)] = [
            (0x1p-24, "f90001"), (0x1p-25, "fa33000000"), (0x1.8p-24, "fa33c00000"), (0x1.ff8p-15, "f903ff"),
            (0x1.ffcp-15, "fa387fe000"), (65_504, "f97bff"), (65_505, "fa477fe100"), (65_536, "fa47800000"),
            (0x1.ffcp0, "f93fff"), (0x1.ffep0, "fa3ffff000"), (0x1p-149, "fa00000001"),
            (0x1p-150, "fb3690000000000000"), (0x1p128, "fb47f0000000000000"), (-0.0, "f98000"),
            (.greatestFiniteMagnitude, "fb7fefffffffffffff"), (-.infinity, "f9fc00"), (-.nan, "f97e00")
        ]
        for (value, hex) in edges {
            #expect(Hex.encode(CBOR.float(value).encoded) == hex, "\(value)")
        }
    }
}
