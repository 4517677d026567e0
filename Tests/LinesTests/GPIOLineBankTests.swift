import Foundation
import Testing

@testable import Lines

/// The bank on whatever machine the tests run: it need not have a GPIO chip, and none is touched.
@Suite struct GPIOLineBankTests {
    static func relay(_ name: LineName = "relay", chip: String, _ direction: LineDirection = .output) -> LineRequest {
        LineRequest(name: name, chip: chip, line: .offset(0), direction: direction)
    }

    static func fault(chip: String) -> LineError? {
        GPIOLineBank([relay(chip: chip)]).faults["relay"]
    }

    @Test(arguments: ["gpiochip98765", "/dev/gpiochip98765", "/dev/null/gpiochip0", "no chip has this label", ""])
    func aMissingChipIsNamedAsTheInstallerWroteIt(chip: String) {
        #expect(Self.fault(chip: chip) == .noChip(chip: chip))
    }

    @Test(arguments: ["/dev/null", "/dev/ptmx", "/proc/self/exe", "/"])
    func whatIsNoChipIsSaidToBeNone(path: String) {
        #expect(Self.fault(chip: path) == .notAChip(path: path))
    }

    @Test func aRegularFileIsNoChip() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("gpiochip0")
        #expect(Self.fault(chip: path) == .notAChip(path: path))
    }

    @Test func whatIsNoChipIsNotEvenOpened() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/pipe"
        #expect(mkfifo(path, 0o600) == 0)
        let reader = open(path, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        #expect(Self.fault(chip: path) == .notAChip(path: path))
        // Had somebody opened the pipe for writing and gone, the reader would be told so.
        var watched = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
        #expect(poll(&watched, 1, 0) == 0)
    }

    @Test func aChipThatMayNotBeReachedIsAMatterOfPermission() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("gpiochip0")
        #expect(chmod(folder.path, 0o000) == 0)
        let fault = try await UnprivilegedThread.run { Self.fault(chip: path) }
        #expect(chmod(folder.path, 0o700) == 0)
        #expect(fault == .noPermission(path: path))
    }

    @Test func namesAreToldFromLabels() {
        #expect(["gpiochip0", "gpiochip12"].allSatisfy(ChipSearch.isName))
        #expect(!["gpiochip", "gpiochip1a", "gpiochip-1", "pinctrl-bcm2711", "gpiochip٣"].contains(where: ChipSearch.isName))
    }

    @Test func aNameUsedTwiceOpensNeither() {
        let bank = GPIOLineBank([Self.relay(chip: "gpiochip98765"), Self.relay(chip: "gpiochip98766")])
        #expect(bank.faults == ["relay": .requestedTwice(name: "relay")])
        #expect(throws: LineError.requestedTwice(name: "relay")) { try bank.set("relay", active: true) }
        #expect(bank.reopen() == [])
        #expect(bank.faults == ["relay": .requestedTwice(name: "relay")])
    }

    @Test func aFaultyLineThrowsItsFaultAtEveryUse() {
        let bank = GPIOLineBank([Self.relay(chip: "gpiochip98765"), Self.relay("exit", chip: "/dev/null", .input)])
        #expect(throws: LineError.noChip(chip: "gpiochip98765")) { try bank.set("relay", active: true) }
        #expect(throws: LineError.notAChip(path: "/dev/null")) { try bank.read("exit") }
    }

    @Test func aLineIsUsedOnlyAsItWasAskedFor() {
        let bank = GPIOLineBank([Self.relay(chip: "gpiochip98765"), Self.relay("exit", chip: "gpiochip98765", .input)])
        #expect(throws: LineError.unknown(name: "relay")) { try bank.read("relay") }
        #expect(throws: LineError.unknown(name: "exit")) { try bank.set("exit", active: true) }
        #expect(throws: LineError.unknown(name: "exit")) { try bank.readBack("exit") }
        #expect(throws: LineError.noChip(chip: "gpiochip98765")) { try bank.readBack("relay") }
        #expect(throws: LineError.unknown(name: "other")) { try bank.set("other", active: true) }
    }

    @Test func reopeningFollowsTheBoard() throws {
        let folder = try TemporaryFolder()
        let bank = GPIOLineBank([Self.relay(chip: "\(folder.path)/gpiochip0")])
        #expect(bank.faults == ["relay": .noChip(chip: "\(folder.path)/gpiochip0")])
        let path = try folder.file("gpiochip0")
        #expect(bank.reopen() == [])
        #expect(bank.faults == ["relay": .notAChip(path: path)])
    }

    @Test func afterReleaseEverythingIsRefused() {
        let bank = GPIOLineBank([Self.relay(chip: "gpiochip98765"), Self.relay("exit", chip: "gpiochip98765", .input)])
        bank.release()
        bank.release()
        #expect(throws: LineError.released) { try bank.set("relay", active: true) }
        #expect(throws: LineError.released) { try bank.read("exit") }
        #expect(bank.reopen() == [])
        #expect(throws: LineError.released) { try bank.set("relay", active: true) }
    }

    @Test func reopeningReleasingAndAskingAtOnceDoNotHurtEachOther() async {
        let bank = GPIOLineBank([Self.relay(chip: "gpiochip98765"), Self.relay("light", chip: "no such label")])
        await withTaskGroup(of: Void.self) { tasks in
            for turn in 0..<8 {
                tasks.addTask {
                    for _ in 0..<50 { #expect(bank.reopen() == []) }
                    if turn == 7 { bank.release() }
                }
                tasks.addTask {
                    for _ in 0..<50 {
                        #expect(throws: LineError.self) { try bank.set("relay", active: true) }
                        #expect(bank.faults["relay"] ?? .released == .noChip(chip: "gpiochip98765") || bank.faults.isEmpty)
                    }
                }
            }
        }
        #expect(bank.faults.isEmpty)
        #expect(throws: LineError.released) { try bank.set("light", active: true) }
    }
}
