import Encoding
import Testing

@Suite("Times as text")
struct UTCTextTests {
    @Test(arguments: [
        ("1970-01-01", 0), ("1970-01-01T00:00Z", 0), ("1970-01-01T00:00:01Z", 1000),
        ("2025-01-31T08:30:00.123Z", 1_738_312_200_123), ("2025-01-31T08:30:00.5Z", 1_738_312_200_500),
        ("2024-02-29", 1_709_164_800_000), ("2000-02-29", 951_782_400_000), ("1969-12-31T23:59:59Z", -1000),
        ("9999-12-31T23:59:59.999Z", 253_402_300_799_999)
    ])
    func readsUTC(text: String, milliseconds: Int64) {
        #expect(UTCText.read(text) == milliseconds)
    }

    @Test(arguments: [
        "", "T", "2025", "2025-1-31", "2025-02-29", "1900-02-29", "2025-04-31", "2025-00-10", "2025-13-01", "2025-01-00",
        "2025-01-31T", "2025-01-31T08Z", "2025-01-31T08:30:00", "2025-01-31T08:30:00+00:00", "2025-01-31T24:00Z",
        "2025-01-31T08:60Z", "2025-01-31T08:30:60Z", "2025-01-31T08:30:00.Z", "2025-01-31T08:30:00.1234Z",
        "2025-01-31 08:30Z", "2025-01-31T08:30ZZ", "+025-01-31", "2025-01-31TZ", "２０２５-01-31"
    ])
    func refusesWhatIsNotExactlyThat(text: String) {
        #expect(UTCText.read(text) == nil)
    }

    @Test func readsWhatItWrote() {
        var milliseconds: Int64 = -62_135_596_800_000
        while milliseconds < 253_402_300_799_999 {
            #expect(UTCText.read(UTCText.make(milliseconds: milliseconds)) == milliseconds)
            milliseconds += 40_000_000_000 + 12_345_678
        }
    }
}
