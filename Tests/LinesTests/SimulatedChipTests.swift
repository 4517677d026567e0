import Foundation
import Testing

@testable import Lines

/// The bank on a real kernel's lines. `make test-board` runs these on a board of its own; elsewhere they
/// are skipped.
@Suite(
    .enabled(if: SimulatedChip.folder != nil, "only a board has simulated chips: make test-board"),
    .serialized
)
struct SimulatedChipTests {
    static func relay(
        _ chip: String = "gate", _ line: LinePlace = .offset(0), activeLow: Bool = false, consumer: String = "tapstile"
    ) -> LineRequest {
        LineRequest(name: "relay", chip: chip, line: line, activeLow: activeLow, consumer: consumer)
    }

    @Test(arguments: [false, true])
    func anOutputIsAtItsSafeLevelFromTheFirstMomentAndMoves(activeLow: Bool) throws {
        let (rest, active) = activeLow ? ("1", "0") : ("0", "1")
        let chip = try SimulatedChip("gate", lines: ["relay"])
        try chip.pull(0, activeLow ? .down : .up)
        #expect(try chip.level(0) == active, "the pull is against us")
        let bank = GPIOLineBank([Self.relay(activeLow: activeLow)])
        #expect(bank.faults.isEmpty)
        #expect(try chip.level(0) == rest)
        try bank.set("relay", active: true)
        #expect(try chip.level(0) == active)
        #expect(try bank.readBack("relay"))
        try bank.set("relay", active: false)
        #expect(try chip.level(0) == rest)
        #expect(try bank.readBack("relay") == false)
    }

    @Test func aLineIsFoundByEveryNameItAndItsChipHave() throws {
        let chip = try SimulatedChip("gate", lines: ["other", "relay"])
        for chipName in ["gate", chip.name, "/dev/\(chip.name)"] {
            for line in [LinePlace.offset(1), .named("relay")] {
                let bank = GPIOLineBank([Self.relay(chipName, line)])
                #expect(bank.faults.isEmpty)
                try bank.set("relay", active: true)
                #expect(try chip.level(1) == "1")
                bank.release()
            }
        }
        #expect(try chip.level(0) == "0")
    }

    @Test(arguments: [false, true])
    func anInputReadsItsVoltage(activeLow: Bool) throws {
        let chip = try SimulatedChip("gate", lines: ["exit"])
        let request = LineRequest(
            name: "exit", chip: "gate", line: .named("exit"), activeLow: activeLow, direction: .input)
        let bank = GPIOLineBank([request])
        try chip.pull(0, .up)
        #expect(try bank.read("exit") == !activeLow)
        try chip.pull(0, .down)
        #expect(try bank.read("exit") == activeLow)
    }

    @Test func aReleasedLineFallsToItsPull() throws {
        let chip = try SimulatedChip("gate", lines: ["relay"])
        try chip.pull(0, .up)
        let bank = GPIOLineBank([Self.relay()])
        #expect(try chip.level(0) == "0")
        bank.release()
        #expect(try chip.level(0) == "1", "the wiring has to be safe by itself")
    }

    @Test func aTakenLineNamesItsHolderAndComesBack() throws {
        let chip = try SimulatedChip("gate", lines: ["relay"])
        let other = GPIOLineBank([Self.relay(consumer: "somebody else")])
        let bank = GPIOLineBank([Self.relay()])
        #expect(bank.faults == ["relay": .busy(chip: "gate", line: .offset(0), consumer: "somebody else")])
        #expect(bank.reopen() == [])
        other.release()
        #expect(bank.reopen() == ["relay"])
        try bank.set("relay", active: true)
        #expect(try chip.level(0) == "1")
    }

    @Test func aChipThatLeavesIsNoticedAndComesBackAtItsSafeLevel() throws {
        let first = try SimulatedChip("gate", lines: ["relay"])
        let bank = GPIOLineBank([Self.relay()])
        try bank.set("relay", active: true)
        try first.remove()
        #expect {
            try bank.set("relay", active: false)
        } throws: { error in
            guard case .failed(_, ENODEV) = error as? LineError else { return false }
            return true
        }
        #expect(bank.reopen() == [])
        #expect(bank.faults == ["relay": .noChip(chip: "gate")])
        let second = try SimulatedChip("gate", lines: ["relay"])
        #expect(bank.reopen() == ["relay"])
        #expect(try second.level(0) == "0")
        try bank.set("relay", active: true)
        #expect(try second.level(0) == "1")
    }

    @Test func aChipThatLeavesUnusedIsNoticedWhenLookedFor() throws {
        let chip = try SimulatedChip("gate", lines: ["relay"])
        let bank = GPIOLineBank([Self.relay()])
        try chip.remove()
        #expect(bank.faults.isEmpty)
        #expect(bank.reopen() == [])
        #expect(bank.faults["relay"] != nil)
    }

    @Test func twoChipsOfOneLabelAreNotGuessedAt() throws {
        let chips = try [SimulatedChip("gate", lines: ["relay"]), SimulatedChip("gate", lines: ["relay"])]
        let fault = GPIOLineBank([Self.relay()]).faults["relay"]
        #expect(fault == .ambiguousChip(chip: "gate", paths: chips.map { "/dev/\($0.name)" }.sorted()))
    }

    @Test func whatTheChipDoesNotHaveIsCountedOut() throws {
        let chip = try SimulatedChip("gate", lines: ["relay", "light"])
        #expect(GPIOLineBank([Self.relay("gate", .offset(2))]).faults["relay"]
            == .noLine(chip: "gate", line: .offset(2), count: 2))
        #expect(GPIOLineBank([Self.relay(chip.name, .named("door"))]).faults["relay"]
            == .noLine(chip: chip.name, line: .named("door"), count: 2))
    }

    @Test func oneLineUnderTwoNamesIsTakenOnce() throws {
        let chip = try SimulatedChip("gate", lines: ["relay"])
        let byName = LineRequest(name: "light", chip: chip.name, line: .named("relay"))
        let bank = GPIOLineBank([Self.relay(), byName])
        #expect(bank.faults.values.contains { $0.code == "line-requested-twice" })
        #expect(try chip.level(0) == "0")
    }
}
