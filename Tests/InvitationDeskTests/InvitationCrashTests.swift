import Cryptography
import Foundation
import Glibc
import InvitationDesk
import Invitations
import SeededNumbers
import Testing
import Waits

/// Two programs that redeem the same codes for different keys are killed at any moment, again and again: each code is used for one key at most,
/// and nobody is without the token that a phone was told of.
@Suite struct InvitationCrashTests {
    /// A redeemer in a process of its own.
    private final class Victim {
        private let process = Process()
        private let output = Pipe()
        private var rest = ""

        init(folder: String, requests: String) throws {
            // The programs lie beside the tests' own one.
            let here = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            process.executableURL = URL(fileURLWithPath: here).deletingLastPathComponent().appendingPathComponent("invitation-redeemer")
            process.arguments = [folder, requests]
            process.standardOutput = output
            try process.run()
        }

        /// The next line; nil after its end, then possibly without a last, half one.
        func line() throws -> String? {
            while true {
                if let end = rest.firstIndex(of: "\n") {
                    defer { rest = String(rest[rest.index(after: end)...]) }
                    return String(rest[..<end])
                }
                try waitForInput(output.fileHandleForReading.fileDescriptor, "the redeemer's next line")
                let more = output.fileHandleForReading.availableData
                if more.isEmpty { return nil }
                rest += String(decoding: more, as: UTF8.self)
            }
        }

        /// All lines until its end, which SIGKILL brings now if it shall.
        func end(killed: Bool) throws -> [String] {
            if killed { Glibc.kill(process.processIdentifier, SIGKILL) }
            var lines: [String] = []
            while let line = try line() { lines.append(line) }
            try process.finish()
            return lines
        }
    }

    @Test func killedAtAnyMomentNobodyLosesATokenAndNoCodeIsUsedTwice() throws {
        let all = try DeskFixture(), count = 60
        let codes = try (0..<count).map { try all.invite("Visitor \($0)").code }
        let files = try (0..<2).map { side in
            let lines = try codes.map { try all.redeemRequest($0, SigningKey.generate()).json.canonical + [0x0A] }
            try all.scratch.write("requests-\(side)", lines.flatMap { $0 })
            return all.scratch.path("requests-\(side)")
        }
        var numbers = SeededNumbers(seed: 27)
        // By code: whose it is, and the hash of what was told.
        var told: [Int: (side: Int, hash: Substring)] = [:]
        for round in 0... {
            let isLast = round == 12
            let victims = try files.map { try Victim(folder: all.scratch.path("desk"), requests: $0) }
            var lines: [[String]] = [[], []]
            if !isLast {
                for _ in 0..<numbers.below(2 * count / 3) { if let line = try victims[round % 2].line() { lines[round % 2].append(line) } }
            }
            for side in 0..<2 { lines[side] += try victims[side].end(killed: !isLast) }
            for side in 0..<2 {
                for words in lines[side].map({ $0.split(separator: " ") }) where words.first != "done" {
                    let number = try #require(words.count == 3 ? Int(words[1]) : nil, "\(words)")
                    if words[0] == "told" {
                        if let before = told[number] { #expect(before.side == side && before.hash == words[2], "code \(number)") }
                        told[number] = (side, words[2])
                    } else {
                        #expect(words[2] == "code-used" || words[2] == "database-away", "\(words)")
                        if words[2] == "code-used" { #expect(told[number]?.side != side, "code \(number)") }
                    }
                }
            }
            if isLast {
                #expect(lines.allSatisfy { $0.last == "done" })
                break
            }
        }
        #expect(told.count == count)
        #expect(try all.desk.invitations(InvitationFilter(state: .redeemed)).count == count)
        #expect(throws: Never.self) { try all.desk.checkLog() }
    }
}
