import Testing
@testable import Radio

@Suite("The settings of bluetoothd")
struct KeyFileTests {
    @Test func groupsAreKept() {
        #expect(KeyFile("[A]\nx=1\n[B]\nx = 2 ")?["B", "x"] == "2")
    }
}
