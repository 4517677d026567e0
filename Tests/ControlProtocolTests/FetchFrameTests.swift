import Encoding
import Testing

@testable import ControlProtocol

@Suite("Frames between whoever wants files and tapstile-net")
struct FetchFrameTests {
    /// One of each kind, and how it is written.
    static func examples() throws -> [(FetchFrame, String)] {
        let setup = try FetchSetup(proxy: "http://p:1", authorities: "/ca", agent: "t/1")
        let job = try FetchJob(url: "https://a/b", mostBytes: 500, milliseconds: 1000, minimumRate: 16)
        let rest = try FetchJob(url: "http://a", mostBytes: 9, milliseconds: 1, minimumRate: 0, windowMilliseconds: 2, etag: "W/\"x\"", offset: 4)
        return [
            // kind, length; url, most bytes, time, rate
            (.order(.fetch(job)), "0100000018" + "a4" + "016b68747470733a2f2f612f62" + "021901f4" + "031903e8" + "0410"),
            // … tag, offset, window
            (.order(.fetch(rest)), "010000001c" + "a7" + "0168687474703a2f2f61" + "0209" + "0301" + "0400" + "0565572f227822" + "0604" + "0702"),
            (.report(.head(try FetchHead(status: 404))), "0200000005" + "a1" + "01190194"),
            (.report(.head(try FetchHead(status: 200, length: 24, etag: "\"a\""))), "020000000c" + "a3" + "0118c8" + "021818" + "0363226122"),
            (.report(.bytes([1, 2, 255])), "0300000003" + "0102ff"),
            (.report(.end), "0400000000"),
            (.report(.failed(FetchFault(.tooSlow))), "050000000b" + "a1" + "0168746f6f2d736c6f77"),
            (.report(.failed(FetchFault(.other, "why"))), "0500000014" + "a2" + "016c66657463682d6661696c6564" + "0263776879"),
            // proxy, authorities, name
            (.order(.setUp(setup)), "0600000017" + "a3" + "016a687474703a2f2f703a31" + "03632f6361" + "0663742f31"),
            (.order(.cancel), "0700000000"),
            (.report(.beat), "0800000000")
        ]
    }

    static func frames(in stream: [UInt8], pieces: Int) throws -> [FetchFrame] {
        var reader = FetchFrameReader()
        var frames: [FetchFrame] = []
        for start in stride(from: 0, to: stream.count, by: pieces) {
            var piece = stream[start..<min(start + pieces, stream.count)]
            while let frame = try reader.next(from: &piece) { frames.append(frame) }
            #expect(piece.isEmpty)
        }
        return frames
    }

    @Test func eachIsWrittenAndReadAsItIs() throws {
        for (frame, hex) in try Self.examples() {
            #expect(Hex.encode(frame.bytes) == hex)
            #expect(try Self.frames(in: Hex.decode(hex), pieces: hex.utf8.count) == [frame])
        }
    }

    @Test func theyAreReadFromPiecesOfAnyLength() throws {
        let examples = try Self.examples()
        let stream = examples.flatMap(\.0.bytes)
        for length in 1...stream.count {
            #expect(try Self.frames(in: stream, pieces: length) == examples.map(\.0))
        }
    }

    @Test func theLongestPieceOfAFileIsAFrame() throws {
        let frame = FetchFrame.report(.bytes([UInt8](repeating: 7, count: FetchFrame.mostBodyBytes)))
        #expect(try Self.frames(in: frame.bytes, pieces: 1000) == [frame])
    }

    @Test("What is no frame is refused, and nothing after it is read", arguments: [
        "00", "09", "ff", // kinds that there are not
        "0300010001", // a byte too many in a piece of a file
        "0200000401", "0400000001", "0800000001", // longer than any of its kind
        "0300000000", // an empty piece
        "020000000180", "0200000001a1", "0200000002a000", // no map, half a one, more than one
        "0200000001a0", // no status
        "0200000004a10118c7", // 199: the answer is not final
        "0200000005a101190258", // 600
        "0200000006a20118c80220", // a length of -1
        "0200000007a20118c8036161", // a tag without quotes
        "0200000006a20118c80400", // a field that is unknown
        "0500000007a101646f6f6f6f", // a code that is unknown
        "0600000001a0", // no name
        "0600000008a201600663742f31", // an empty proxy
        "0100000011a40168667470733a2f2f61020103010400" // ftps
    ])
    func others(hex: String) throws {
        var reader = FetchFrameReader()
        let bytes = try Hex.decode(hex)
        #expect(throws: FrameError.self) {
            var input = bytes[...]
            while try reader.next(from: &input) != nil {}
        }
        var more = FetchFrame.report(.beat).bytes[...]
        #expect(throws: FrameError.self) { try reader.next(from: &more) }
    }

    @Test("A detail is plain text and short, whatever it was made of")
    func details() {
        let fault = FetchFault(.other, "é\n" + String(repeating: "x", count: 300))
        #expect(fault.detail == "???" + String(repeating: "x", count: 197))
        #expect(fault.message == "It could not be fetched (\(fault.detail)).")
    }

    @Test("What cannot be asked for is no job", arguments: [
        "", "a", "file:///etc/passwd", "ftp://a/", "https:/a", "https://a b", "https://a/\u{7F}", "https://é/", "http://a\n"
    ])
    func addresses(url: String) {
        #expect(throws: FrameError.self) { try FetchJob(url: url, mostBytes: 1, milliseconds: 1, minimumRate: 0) }
    }

    @Test func schemesAreReadWithoutCase() throws {
        #expect(try FetchJob(url: "HTTPS://a", mostBytes: 1, milliseconds: 1, minimumRate: 0).url == "HTTPS://a")
    }

    @Test("What is no number for it is no job", arguments: [
        [-1, 1, 0, 0], [3, 1, 0, 4], [1, 0, 0, 0], [1, 864_000_001, 0, 0], [1, 1, -1, 0], [1, 1, 0, -1]
    ])
    func numbers(values: [Int64]) {
        let (most, time, rate, offset) = (values[0], values[1], values[2], values[3])
        #expect(throws: FrameError.self) {
            try FetchJob(url: "http://a", mostBytes: most, milliseconds: time, minimumRate: rate, offset: offset)
        }
    }

    @Test("Tags are visible characters in quotes", arguments: ["\"", "a", "W/", "\"a", "\"a b\"", "\"a\"b\"", "w/\"a\"", "\"\r\n\"", "\"é\""])
    func tags(text: String) {
        #expect(!FetchJob.isETag(text))
    }
}
