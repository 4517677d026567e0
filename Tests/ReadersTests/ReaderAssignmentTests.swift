import Testing

@testable import Readers

/// T3: bound by name, serial or port, never by index; what is ambiguous is bound to nothing.
@Suite struct ReaderAssignmentTests {
    private let left = AttachedReader(
        pcscName: "ACS ACR1252 Dual Reader [ACR1252 Dual Reader PICC] (RR375-000001) 00 00", port: "1-1.1")
    private let leftSAM = AttachedReader(
        pcscName: "ACS ACR1252 Dual Reader [ACR1252 Dual Reader SAM] (RR375-000001) 01 00", port: "1-1.1")
    private let right = AttachedReader(
        pcscName: "ACS ACR1252 Dual Reader [ACR1252 Dual Reader PICC] (RR375-000002) 02 00", port: "1-1.2")

    private func assign(
        _ match: ReaderMatch, containing part: String? = nil, among attached: [AttachedReader]
    ) -> ReaderAssignment {
        ReaderAssignment.all([ReaderBinding(name: "entry", match: match, nameContains: part)], attached: attached)[0]
    }

    @Test func byItsWholeName() {
        #expect(assign(.name(right.pcscName), among: [left, right]) == .bound(pcscName: right.pcscName))
    }

    @Test func byItsNameWithoutIndexOfWhateverIndex() {
        let binding = ReaderMatch.name("Some Reader")
        for name in ["Some Reader 00 00", "Some Reader 03 00", "Some Reader 0A 01", "Some Reader"] {
            #expect(assign(binding, among: [AttachedReader(pcscName: name)]) == .bound(pcscName: name))
        }
        for name in ["Some Reader 2 00 00", "Some Reader 00", "Some", "Another Some Reader 00 00"] {
            guard case .absent = assign(binding, among: [AttachedReader(pcscName: name)]) else {
                Issue.record("bound to \(name)")
                continue
            }
        }
    }

    @Test func bySerialFromTheBracketsOfTheName() {
        #expect(assign(.serial("RR375-000002"), among: [left, right]) == .bound(pcscName: right.pcscName))
    }

    @Test func bySerialFromTheDriverBeforeTheName() {
        let reader = AttachedReader(pcscName: "Reader (IN-NAME) 00 00", serial: "FROM-DRIVER")
        #expect(assign(.serial("FROM-DRIVER"), among: [reader]) == .bound(pcscName: reader.pcscName))
        guard case .absent = assign(.serial("IN-NAME"), among: [reader]) else {
            Issue.record("the name won over the driver")
            return
        }
    }

    @Test func byPort() {
        #expect(assign(.port("1-1.2"), among: [left, right]) == .bound(pcscName: right.pcscName))
    }

    @Test func twoSlotsOfOneDeviceAreAmbiguousUntilNarrowed() {
        let all = [left, leftSAM, right]
        #expect(
            assign(.serial("RR375-000001"), among: all) == .ambiguous(candidates: [left.pcscName, leftSAM.pcscName]))
        #expect(assign(.serial("RR375-000001"), containing: "PICC", among: all) == .bound(pcscName: left.pcscName))
    }

    @Test func twoEqualReadersAreAmbiguousByName() {
        let (first, second) = (AttachedReader(pcscName: "Same 00 00"), AttachedReader(pcscName: "Same 01 00"))
        #expect(
            assign(.name("Same"), among: [first, second]) == .ambiguous(candidates: ["Same 00 00", "Same 01 00"]))
    }

    @Test func twoBindingsOfOneReaderGetNothing() {
        let bindings = [
            ReaderBinding(name: "entry", match: .port("1-1.1")),
            ReaderBinding(name: "exit", match: .serial("RR375-000001")),
            ReaderBinding(name: "side", match: .port("1-1.2")),
        ]
        let assignments = ReaderAssignment.all(bindings, attached: [left, right])
        #expect(assignments[0] == .ambiguous(candidates: ["\(left.pcscName), also bound as exit"]))
        #expect(assignments[1] == .ambiguous(candidates: ["\(left.pcscName), also bound as entry"]))
        #expect(assignments[2] == .bound(pcscName: right.pcscName))
    }

    @Test func whatIsAbsentIsNamedAndSoIsWhatIsThere() {
        guard case .absent(let reason) = assign(.serial("NONE"), containing: "PICC", among: [left]) else {
            Issue.record("bound to something")
            return
        }
        #expect(
            reason == """
                No reader with serial number NONE and "PICC" in its name is plugged in. Plugged in: \
                \(left.pcscName), serial RR375-000001, port 1-1.1.
                """)
        #expect(
            assign(.name("X"), among: [])
                == .absent(
                    reason: """
                        No reader is plugged in; wanted is one with name "X". Plug it in (`lsusb` shows whether \
                        the machine sees it).
                        """))
    }
}
