@testable import Configuration
import Testing

@Suite("Radios, and over which carriers a lane serves phones (T2, T5, T6, T12)")
struct RadioTests {
    /// The smallest text with more in its lane, and tables behind it: those begin in line 18.
    private static func text(lane: String = "", _ tables: String = "") -> String {
        let lane = lane.isEmpty ? "" : "\n\(lane)"
        return Sample.smallest.replacing("name = \"entry\"\n", with: "name = \"entry\"\(lane)\n") + "\n\n" + tables
    }

    private static func load(_ text: String) throws -> GateConfiguration {
        try ConfigurationFile.parse(Array(text.utf8), name: "t.toml").configuration
    }

    private static let radio = "[[radio]]\nname = \"air\"\nlanes = [\"entry\"]"

    private static let lobby = "[[lane]]\nname = \"lobby\"\ncarriers = \"ble-only\"\nrelay = { chip = \"gpiochip0\", line = 18 }\n"

    @Test("What is not said has its default") func defaults() throws {
        let configuration = try Self.load(Self.text(Self.radio))
        #expect(configuration.radios == [RadioSettings(name: "air", lanes: ["entry"])])
        let radio = try #require(configuration.radio(ofLane: "entry"))
        #expect(radio.direction == .in && radio.address == nil && radio.mode == .onTouch && radio.links == 3)
        #expect(radio.service == "00005301-0010-002a-426c-756549442a00")
        #expect(radio.presentationDeadlineMilliseconds == 5000 && radio.reportIntervalMilliseconds == 500)
        #expect(configuration.lanes[0].carriers == CarrierSettings())
        #expect(configuration.lanes[0].carriers.carriers == .nfcFirst && configuration.lanes[0].carriers.bleRequirement == .none)
        #expect(configuration.lanes[0].carriers.thresholdDBm == -60 && configuration.lanes[0].carriers.windowMilliseconds == 300)
        #expect(configuration.radio(ofLane: "lobby") == nil)
    }

    @Test("Everything can be said") func all() throws {
        let configuration = try Self.load(Self.text(lane: """
            carriers = "both"
            ble-require = "unlocked"
            ble-rssi-threshold-dbm = -72
            ble-rssi-window-ms = 1000
            """, Self.lobby + """
            [[radio]]
            name = "air"
            lanes = ["lobby", "entry"]
            direction = "out"
            address = "00:1a:7d:DA:71:13"
            mode = "classic"
            service-uuid = "0000FEED-0000-1000-8000-00805F9B34FB"
            links = 7
            presentation-deadline-ms = 30000
            report-interval-ms = 0
            """))
        #expect(configuration.radios == [
            RadioSettings(name: "air", lanes: ["lobby", "entry"], direction: .out, address: "00:1A:7D:DA:71:13", mode: .classic,
                          serviceUUID: "0000feed-0000-1000-8000-00805f9b34fb", links: 7, presentationDeadlineMilliseconds: 30_000,
                          reportIntervalMilliseconds: 0)
        ])
        #expect(configuration.lanes[0].carriers == CarrierSettings(carriers: .both, bleRequirement: .unlocked, thresholdDBm: -72,
                                                                   windowMilliseconds: 1000))
        #expect(configuration.radio(ofLane: "lobby")?.name == "air" && configuration.radio(ofLane: "entry")?.name == "air")
    }

    @Test("The mode has its service, unless the installer names another one") func services() throws {
        #expect(RadioSettings(name: "a", lanes: ["b"], mode: .classic).service == "00005301-0000-002a-426c-756549442a00")
        #expect(RadioSettings(name: "a", lanes: ["b"], mode: .classic, serviceUUID: "x").service == "x")
    }

    @Test("A lane that is served over BLE only needs no reader, and a reader there is of no use") func bleOnly() throws {
        let alone = Self.text(Self.lobby + "[[radio]]\nname = \"air\"\nlanes = [\"lobby\"]")
        #expect(IssueTests.marks(alone) == [])
        let unused = Self.text(lane: "carriers = \"ble-only\"", Self.radio)
        #expect(IssueTests.marks(unused) == ["16:8 reader-unused"])
        #expect(IssueTests.issues(unused).map(\.severity) == [.warning])
        #expect(IssueTests.marks(alone.replacing("\"ble-only\"", with: "\"both\"")) == ["18:1 lane-without-reader"])
    }

    @Test("What a lane says of its carriers fits to where it is") func carriers() {
        func marks(_ carriers: String, _ tables: String) -> [String] {
            IssueTests.issues(Self.text(lane: "carriers = \"\(carriers)\"", tables)).filter { $0.severity == .error }
                .map { "\($0.position?.line ?? 0):\($0.position?.column ?? 0) \($0.code)" }
        }
        #expect(marks("ble-only", "") == ["10:12 radio-needed"])
        #expect(marks("both", "") == ["10:12 radio-needed"])
        #expect(marks("nfc-first", "") == [] && marks("nfc-only", "") == [])
        #expect(marks("nfc-only", Self.radio) == ["10:12 radio-unused"])
        #expect(marks("nfc-first", Self.radio) == [] && marks("both", Self.radio) == [])
        #expect(marks("both", Self.radio.replacing("[\"entry\"]", with: "[3]")) == ["21:10 wrong-type"], "it may be the one that is meant")
    }

    @Test("Phones by themselves or people by hand: where neither may begin, nobody is served (T4, T11)") func triggers() {
        func marks(lane: String, _ radio: String) -> [String] { IssueTests.marks(Self.text(lane: lane, Self.radio + "\n" + radio)) }
        #expect(marks(lane: "", "mode = \"classic\"\nmanual = false") == ["22:10 radio-serves-nobody"])
        #expect(marks(lane: "", "mode = \"classic\"\nmanual = true") == [] && marks(lane: "", "manual = false") == [])
        #expect(marks(lane: "automatic = false", "") == [] && marks(lane: "automatic = false", "mode = \"classic\"") == [])
        #expect(marks(lane: "automatic = false", "manual = false") == ["22:10 radio-serves-nobody"])
        #expect(marks(lane: "automatic = false", "manual = false\nmode = \"classic\"") == ["22:10 radio-serves-nobody"], "told once")
        #expect(marks(lane: "automatic = false", "manual = false\nmode = \"ontouch\"").count == 1, "what the mode shall be is not known")
        #expect(IssueTests.marks(Self.text(lane: "automatic = false", Self.lobby + Self.radio.replacing("entry", with: "lobby") + "\nmanual = false")) == [],
                "another lane's rule")
        let issues = IssueTests.issues(Self.text(lane: "automatic = false", Self.radio + "\nmanual = false"))
        #expect(issues.map(\.message) == [
            "radio[1].manual is false, and so is lane[1].automatic (line 10): nobody is served at the lane \"entry\". Remove one of them."
        ])
    }

    @Test("Every mistake of radios at once, each with its place") func mistakes() {
        let text = Self.text(lane: "carriers = \"bluetooth\"\nble-require = \"locked\"\nble-rssi-threshold-dbm = 60\nble-rssi-window-ms = 5", """
            [[radio]]
            name = "in"
            lanes = ["entry", "entri", "entry"]
            address = "00:1A:7D:DA:71"
            service-uuid = "5301"
            links = 8
            presentation-deadline-ms = 10
            report-interval-ms = 99
            [[radio]]
            name = "other"
            lanes = ["entry"]
            mode = "ontouch"
            address = "00:1A:7D:DA:71:13"
            [[radio]]
            name = "third"
            lanes = []
            address = "00:1a:7d:da:71:13"
            adress = 1
            [[radio]]
            name = "other"
            lanes = ["entry"]
            """)
        #expect(IssueTests.marks(text) == [
            "10:12 bad-choice", "11:15 bad-choice", "12:26 out-of-range", "13:22 out-of-range",
            "23:8 duplicate-name", "24:19 unknown-lane", "24:28 repeated-value", "25:11 bad-text", "26:16 bad-text", "27:9 out-of-range",
            "28:28 out-of-range", "29:22 out-of-range", "32:10 lane-at-two-radios", "33:8 bad-choice", "37:9 empty-list",
            "38:11 radio-bound-twice", "39:1 unknown-setting", "40:1 radio-address-missing", "41:8 duplicate-name", "42:10 lane-at-two-radios"
        ])
        #expect(IssueTests.issues(text).compactMap(\.suggestion) == ["unlocked", "entry", "on-touch", "address"])
    }

    @Test("A radio has no name of a reader: both are the reader in journal and events") func names() {
        let text = Self.text(Self.radio.replacing("\"air\"", with: "\"in\""))
        #expect(IssueTests.issues(text).map(\.message) == ["The name \"in\" is already that of reader[1] (line 14)."])
    }

    static let noAddresses = ["", "00:1A:7D:DA:71:1", "00-1A-7D-DA-71-13", "00:1A:7D:DA:71:13:00", "0:01A:7D:DA:71:13", "hci0", "00:1A:7D:DA:71:1é"]

    @Test("What is no address", arguments: noAddresses) func noAddress(text: String) {
        let issues = IssueTests.issues(Self.text(Self.radio + "\naddress = \"\(text)\""))
        #expect(issues.map(\.message) == ["radio[1].address is no Bluetooth address: six pairs of 0–9, A–F joined by \":\"."])
    }

    static let noUUIDs = ["", "FEED", "000053010010002a426c756549442a00", "00005301-0010-002a-426c-756549442a0", "00005301-0010-002a-426c756549442a00-",
                          "0000530g-0010-002a-426c-756549442a00"]

    @Test("What is no UUID", arguments: noUUIDs) func noUUID(text: String) {
        #expect(IssueTests.issues(Self.text(Self.radio + "\nservice-uuid = \"\(text)\"")).map(\.code) == ["bad-text"])
    }
}
