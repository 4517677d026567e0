import Radio
import Synchronization

/// One link of a phone in this process, with an eye on the time that the gate takes for it.
final class BenchTap {
    /// Near enough for every lane.
    private static let near: Int8 = -40
    /// So many samples make a value.
    private static let samples = 3

    private let link: RadioLink
    private let client: any RadioClient
    /// Nanoseconds that the calls for what the phone wrote and read have taken so far.
    private(set) var inside: Int64 = 0
    /// What of it was computed, on this thread.
    private(set) var computed: Int64 = 0

    init(_ link: RadioLink, _ client: any RadioClient) {
        self.link = link
        self.client = client
        client.opened(link)
        for _ in 0..<Self.samples { client.strength(Self.near, of: link) }
    }

    /// The phone writes; whether the gate took it at once.
    func write(_ value: [UInt8]) -> Bool {
        let verdict = Answered()
        timed { client.wrote(value, on: link, answer: WriteAnswer { verdict.isAccepted.store($0 == .accepted, ordering: .relaxed) }) }
        return verdict.isAccepted.load(ordering: .relaxed)
    }

    /// The phone reads; nil when there is nothing for it.
    func read() -> [UInt8]? {
        guard case .value(let value) = timed({ client.read(on: link) }) else { return nil }
        return value
    }

    private func timed<Result>(_ call: () -> Result) -> Result {
        let (began, processor) = (Clock.now, Clock.threadProcessor)
        defer {
            inside += Clock.now - began
            computed += Clock.threadProcessor - processor
        }
        return call()
    }

    /// The phone hangs up.
    func leave() { client.closed(link) }

    private final class Answered: Sendable {
        let isAccepted = Atomic(false)
    }
}
