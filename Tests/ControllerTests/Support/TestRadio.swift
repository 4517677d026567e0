import Credentials
import PhoneProtocol
import Threads
import VirtualPhone
import Waits

@testable import Controller
@testable import Tap
@testable import Radio

/// A radio in process: phones connect to its desk, are heard as strong as the test says, write and read.
final class TestRadio: LinkControl, @unchecked Sendable { // a test has one thread
    private(set) var measured: Set<RadioLink> = []
    private(set) var dropped: [RadioLink] = []
    private var desk: RadioDesk?
    private var count: UInt64 = 0
    let name: String

    init(_ controller: Controller, _ name: String = "hall") {
        self.name = name
        desk = controller.layout.withLock { $0.radios[name] }.map { controller.desk($0, self) }
    }

    // What the desk wants --------------------------------------------------------------------------

    func measure(_ link: RadioLink, everyMilliseconds interval: Int64) { measured.insert(link) }
    func stopMeasuring(_ link: RadioLink) { measured.remove(link) }
    func drop(_ link: RadioLink) { dropped.append(link) }

    // What phones do -------------------------------------------------------------------------------

    /// A phone connects, and is heard so strong until it is not asked for any more.
    func connect(heard dBm: Int8? = nil) -> RadioLink {
        count += 1
        let link = RadioLink(radio: name, id: count)
        desk?.opened(link)
        if let dBm { receive(link, dBm) }
        return link
    }

    /// Three samples: as many as make a value.
    func receive(_ link: RadioLink, _ dBm: Int8?) {
        for _ in 0..<3 where measured.contains(link) { desk?.strength(dBm, of: link) }
    }

    func close(_ link: RadioLink) { desk?.closed(link) }

    func read(_ link: RadioLink) -> ReadResult? { desk?.read(on: link) }

    /// How a write was answered; nil as long as it was not.
    final class Written: @unchecked Sendable { // a test has one thread
        fileprivate(set) var error: UInt8?
        fileprivate(set) var isAccepted = false
        var isAnswered: Bool { isAccepted || error != nil }
    }

    func write(_ link: RadioLink, _ value: [UInt8]) -> Written {
        let written = Written()
        desk?.wrote(value, on: link, answer: WriteAnswer { verdict in
            switch verdict {
            case .accepted: written.isAccepted = true
            case .refused(let error): written.error = error
            }
        })
        return written
    }

    /// Lets time pass until nothing is due any more, or `isEnough`.
    func wait(
        for what: String, fileID: String = #fileID, line: Int = #line, until isEnough: () -> Bool = { false }
    ) throws {
        let deadline = WaitLimit.deadline
        while !isEnough(), let due = desk?.nextDue {
            let pause = Monitor(false), next = min(due, deadline)
            pause.waitForStep { _ in
                MonotonicTime.milliseconds >= next ? WaitStep<Void>.proceed(()) : .wait(until: next)
            }
            desk?.advance()
            guard MonotonicTime.milliseconds < deadline else {
                throw WaitedInVain(what, instead: "something due at \(due)", fileID: fileID, line: line)
            }
        }
    }

    var nextDue: Int64? { desk?.nextDue }

    /// A whole conversation over a link. Nil when a write was refused or a read had nothing.
    func converse(_ link: RadioLink, _ identity: PhoneIdentity, _ settings: PhoneSettings = PhoneSettings(carrier: .ble)) -> PhoneResult? {
        var phone = BluetoothPhone(identity: identity, settings: settings)
        var step = phone.start()
        while true {
            switch step {
            case .write(let value):
                guard write(link, value).isAccepted else { return nil }
                step = phone.wrote()
            case .read:
                guard case .value(let value) = read(link) else { return nil }
                step = phone.received(value)
            case .finish(let result):
                return result
            }
        }
    }

    /// The same from connecting to hanging up, near enough for everything.
    func tap(_ identity: PhoneIdentity, _ settings: PhoneSettings = PhoneSettings(carrier: .ble)) -> PhoneResult? {
        let link = connect(heard: -40)
        defer { close(link) }
        return converse(link, identity, settings)
    }
}

extension PhoneResult {
    /// The reason that the gate told after a proof.
    var reason: Reason? {
        switch self {
        case .outcome(let outcome): outcome.reason
        case .refused, .stopped: nil
        }
    }
}
