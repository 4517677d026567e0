import Foundation
import Testing
import Waits

@testable import Lines

/// Inputs on a real kernel's lines. `make test-board` runs these on a board of its own; elsewhere they are skipped.
@Suite(
    .enabled(if: SimulatedChip.folder != nil, "only a board has simulated chips: make test-board"),
    .serialized
)
struct SimulatedInputTests {
    typealias Happening = LineEvent.Happening

    /// Whom the kernel names where it counts our edges.
    static let consumer = "tapstile-contact"

    static func contact(_ name: LineName = "contact", line: UInt32 = 0, activeLow: Bool = false, bias: LineBias = .asIs) -> LineRequest {
        LineRequest(name: name, chip: "inputs", line: .offset(line), activeLow: activeLow, direction: .input, bias: bias, consumer: consumer)
    }

    /// Takes events until `count` have come.
    static func events(_ bank: GPIOLineBank, count: Int) throws -> [LineEvent] {
        let descriptor = try #require(bank.inputDescriptor)
        var events: [LineEvent] = []
        while events.count < count {
            try waitForInput(descriptor, "event \(events.count + 1) of \(count)")
            events += bank.drainInputEvents()
        }
        return events
    }

    static func happenings(_ bank: GPIOLineBank, count: Int) throws -> [Happening] {
        try events(bank, count: count).map(\.happening)
    }

    /// Moves a contact and returns when the kernel has seen the edge. The board's kernel looks at its next tick: of
    /// edges within 10 ms it sees the last level only.
    static func move(_ chip: SimulatedChip, _ line: Int = 0, _ pull: SimulatedChip.Pull) throws {
        let before = try edgesSeen()
        try chip.pull(line, pull)
        try waitUntil("the kernel to see an edge after \(before)", edgesSeen) { $0 != before }
    }

    /// How many edges of our lines the kernel has seen: the interrupts that carry our name.
    private static func edgesSeen() throws -> Int {
        let interrupts = try String(contentsOfFile: "/proc/interrupts", encoding: .utf8)
        return interrupts.split(separator: "\n").filter { $0.hasSuffix(consumer) }.reduce(0) { sum, line in
            sum + (Int(line.split(separator: " ").dropFirst().first ?? "") ?? 0)
        }
    }

    @Test(arguments: [false, true])
    func bothEdgesComeWithTheirTimes(activeLow: Bool) throws {
        let chip = try SimulatedChip("inputs", lines: ["contact"])
        let bank = GPIOLineBank([Self.contact(activeLow: activeLow)])
        #expect(try Self.happenings(bank, count: 1) == [.found(active: activeLow)])
        let begin = monotonicNanoseconds()
        try Self.move(chip, 0, .up)
        let between = monotonicNanoseconds()
        try Self.move(chip, 0, .down)
        let events = try Self.events(bank, count: 2)
        #expect(events.map(\.happening) == [.moved(active: !activeLow), .moved(active: activeLow)])
        #expect(begin <= events[0].nanoseconds && events[0].nanoseconds <= between)
        #expect(between <= events[1].nanoseconds && events[1].nanoseconds <= monotonicNanoseconds())
        #expect(bank.drainInputEvents().isEmpty)
    }

    @Test func whatIsActiveAtTheStartIsFoundSo() throws {
        let chip = try SimulatedChip("inputs", lines: ["contact"])
        try chip.pull(0, .up)
        let bank = GPIOLineBank([Self.contact()])
        #expect(try Self.happenings(bank, count: 1) == [.found(active: true)])
        #expect(try bank.read("contact"))
    }

    @Test func whoFetchesLateGetsEveryEdgeInOrder() throws {
        let chip = try SimulatedChip("inputs", lines: ["contact", "other"])
        let bank = GPIOLineBank([Self.contact(), Self.contact("other", line: 1)])
        #expect(try Self.events(bank, count: 2).count == 2)
        for turn in 0..<40 { try Self.move(chip, turn % 2, turn / 2 % 2 == 0 ? .up : .down) }
        let events = try Self.events(bank, count: 40)
        for line in ["contact", "other"] {
            #expect(events.filter { $0.line == line }.map(\.happening) == (0..<20).map { .moved(active: $0 % 2 == 0) })
        }
        #expect(events == events.sorted { $0.nanoseconds < $1.nanoseconds })
    }

    @Test func moreEdgesThanTheKernelKeepsAreNoticed() throws {
        let chip = try SimulatedChip("inputs", lines: ["contact"])
        let bank = GPIOLineBank([Self.contact()])
        #expect(try Self.events(bank, count: 1).count == 1)
        for turn in 0..<261 { try Self.move(chip, 0, turn % 2 == 0 ? .up : .down) }
        let events = try Self.events(bank, count: 2)
        #expect(events.count == 256)
        #expect(events.first?.happening == .resumed(active: false), "five are gone")
        #expect(events.last?.happening == .moved(active: true))
        try Self.move(chip, 0, .down)
        #expect(try Self.happenings(bank, count: 1) == [.moved(active: false)], "no gap after those")
    }

    @Test func aChipThatLeavesTakesItsInputAlongAndBringsItBack() throws {
        let first = try SimulatedChip("inputs", lines: ["contact"])
        let bank = GPIOLineBank([Self.contact()])
        #expect(try Self.happenings(bank, count: 1) == [.found(active: false)])
        try first.remove()
        _ = bank.drainInputEvents()
        #expect(bank.reopen() == [])
        #expect(bank.faults["contact"] == .noChip(chip: "inputs"))
        let second = try SimulatedChip("inputs", lines: ["contact"])
        try second.pull(0, .up)
        #expect(bank.reopen() == ["contact"])
        #expect(try Self.happenings(bank, count: 1).last == .found(active: true))
        try Self.move(second, 0, .down)
        #expect(try Self.happenings(bank, count: 1) == [.moved(active: false)])
    }

    @Test func theLossOfAChipIsToldOnce() throws {
        let chip = try SimulatedChip("inputs", lines: ["contact"])
        let bank = GPIOLineBank([Self.contact()])
        #expect(try Self.happenings(bank, count: 1) == [.found(active: false)])
        try chip.remove()
        for _ in 0..<3 { _ = bank.reopen() }
        #expect(try Self.happenings(bank, count: 1) == [.lost])
        #expect(bank.drainInputEvents().isEmpty)
    }

    @Test func anInputThatWasNeverThereIsToldAtOnceAndComes() throws {
        let bank = GPIOLineBank([Self.contact()])
        #expect(try Self.happenings(bank, count: 1) == [.lost])
        let chip = try SimulatedChip("inputs", lines: ["contact"])
        try chip.pull(0, .up)
        #expect(bank.reopen() == ["contact"])
        #expect(try Self.happenings(bank, count: 1) == [.found(active: true)])
    }

    @Test(arguments: [(LineBias.pullUp, true), (.pullDown, false)])
    func theChipsResistorHoldsTheLevel(bias: LineBias, level: Bool) throws {
        let chip = try SimulatedChip("inputs", lines: ["contact"])
        try chip.pull(0, level ? .down : .up)
        let bank = GPIOLineBank([Self.contact(bias: bias)])
        #expect(try Self.happenings(bank, count: 1) == [.found(active: level)])
    }

    @Test func anInputThatSomebodyHasIsAFault() throws {
        let chip = try SimulatedChip("inputs", lines: ["contact"])
        let other = GPIOLineBank([Self.contact()])
        let bank = GPIOLineBank([Self.contact()])
        #expect(bank.faults == ["contact": .busy(chip: "inputs", line: .offset(0), consumer: Self.consumer)])
        other.release()
        #expect(bank.reopen() == ["contact"])
        #expect(try Self.happenings(bank, count: 2) == [.lost, .found(active: false)])
        _ = chip
    }
}

private func monotonicNanoseconds() -> Int64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
}
