import Credentials
import Foundation
import SiteData
import Testing
import Threads
import Waits

@testable import Storage

/// Taps go on while publications are applied, and see either the old data or the new, never a mixture.
@Suite struct TrustConcurrencyTests {
    @Test func tapsSeeOneGenerationAtATime() throws {
        let fixture = try TrustFixture()
        let store = try fixture.open()
        // In version n both keys belong to the subject "n".
        func publish(_ version: UInt64) throws {
            let keys = [
                try fixture.enrolled(1, kid: [5], subject: "\(version)"), try fixture.enrolled(2, kid: [5], subject: "\(version)")
            ]
            try fixture.apply(try fixture.publication(keys.map { .enrolled($0) }, version: version), to: store)
        }
        try publish(1)
        let isOver = Monitor(false)
        let wrong = Monitor<[String]>([])
        let answers = Monitor(0)
        let threads = try (0..<4).map { number in
            try Worker(name: "tap-\(number)") {
                var last: UInt64 = 0
                while !isOver.withLock({ $0 }) {
                    do {
                        let answer = try store.answer(TrustFixture.question(kid: [5]))
                        let subjects = answer.enrolled.map(\.key.subject)
                        if subjects != ["\(answer.generation)", "\(answer.generation)"] || answer.generation < last {
                            wrong.withLock { $0.append("\(answer.generation) after \(last): \(subjects)") }
                        }
                        last = answer.generation
                        answers.withLock { $0 += 1 }
                    } catch {
                        wrong.withLock { $0.append("\(error)") }
                    }
                }
            }
        }
        // Nobody goes on when this one gives up.
        defer { isOver.change { $0 = true } }
        for version in 2...20 as ClosedRange<UInt64> {
            let before = answers.withLock { $0 }
            try publish(version)
            try waitUntil("ten answers after \(before)") { answers.withLock { $0 } } fits: { $0 >= before + 10 }
        }
        isOver.change { $0 = true }
        for thread in threads { try thread.waitForEnd() }
        #expect(wrong.withLock { $0 }.isEmpty)
        #expect(store.generation == 20)
    }

    @Test func damageIsSetAsideOnceHoweverManyFindIt() throws {
        let fixture = try TrustFixture()
        let store = try fixture.open()
        let keys = try (0..<400).map { try fixture.enrolled($0) }
        try fixture.apply(try fixture.publication(keys.map { .enrolled($0) }), to: store)
        store.close()
        let again = try fixture.open()
        let size = try fixture.folder.bytes("trust.db").count
        try fixture.folder.damage("trust.db", at: 4096, with: [UInt8](repeating: 0xff, count: size - 4096))
        let threads = try (0..<4).map { number in
            try Worker(name: "tap-\(number)") {
                for key in keys { _ = try? again.answer(TrustFixture.question(kid: key.keyIdentifier)) }
            }
        }
        for thread in threads { try thread.waitForEnd() }
        #expect(fixture.folder.names.filter { $0.hasPrefix("trust.db") } == ["trust.db.corrupt-1"])
        #expect(try again.answer(TrustFixture.question(kid: [1])) == .absent)
    }

    @Test func oneImportAtATime() throws {
        let fixture = try TrustFixture()
        let one = try fixture.open()
        let other = try fixture.open()
        let publication = try fixture.publication((0..<50).map { .enrolled(try fixture.enrolled($0)) })
        let held = Monitor<ImportError?>(nil)
        let lock = try SlotFile(path: fixture.folder.path("trust.floor"))
        try lock.lock()
        held.withLock { $0 = fixture.refusal(publication, by: one) }
        #expect(held.withLock { $0 } == .storage(StorageError(.inUse, "")))
        lock.unlock()
        #expect(fixture.refusal(publication, by: other) == nil)
    }
}
