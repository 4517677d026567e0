import CLinux
import CSystemd
import Dispatch
import Files
import Glibc
import Threads
import Waits

@testable import Radio

/// A bluetoothd that does what a test tells it: on a thread and a connection of its own.
final class ScriptedBluez: Sendable {
    /// What it was asked.
    enum Asked: Hashable, Sendable {
        /// A method other than those below, with the texts and flags among its arguments.
        case called(String, path: String, [String])
        case applicationRegistered(adapter: String, Shown)
        case advertisementRegistered(adapter: String, Shown)
        case advertisementUnregistered(adapter: String)
        case disconnect(device: String)
        case pairable(adapter: String, Bool)
    }

    /// What somebody showed of his objects: interface and property, as text.
    typealias Shown = [String: String]

    enum Answer: Hashable, Sendable {
        case success([BusValue])
        case failure(BusFailure)
    }

    static let hci0 = "/org/bluez/hci0"

    let asked = EventLog<Asked>()
    private let jobs = Mutex<[Job]>([])
    private let bell: FileDescriptor
    private let worker = Monitor<Worker?>(nil)
    private let address: String

    /// A function in a lock has a type of its own.
    struct Job: Sendable {
        let body: @Sendable (ScriptedBluezThread) -> Void
    }

    init(_ address: String) throws {
        self.address = address
        bell = FileDescriptor(owning: try SystemError.check(clinux_eventfd_create(), "eventfd"))
    }

    /// Takes its name on the bus; returns when it has it.
    /// - Parameter prepare: on its thread, before anybody can ask it anything.
    func start(name: String = BluezName.service, _ prepare: @escaping @Sendable (ScriptedBluezThread) -> Void = { _ in }) async throws {
        let names = EventLog<String>()
        let started = try Worker(name: "bluez") { [address, asked, bell, jobs = self.jobsBox] in
            ScriptedBluezThread(asked: asked, bell: bell, jobs: jobs).run(address, name, prepare) { names.record(name) }
        }
        worker.withLock { $0 = started }
        try await names.next(name)
    }

    private var jobsBox: @Sendable () -> [Job] {
        { [self] in
            jobs.withLock { jobs in
                defer { jobs = [] }
                return jobs
            }
        }
    }

    /// It ends as a crash would end it: its connection closes.
    func stop() {
        perform { $0.stop() }
        reportingWaits { try worker.withLock { $0 }?.waitForEnd() }
    }

    /// It does nothing any more until the answer is signalled.
    func hang() -> DispatchSemaphore {
        let hold = DispatchSemaphore(value: 0)
        perform { _ in hold.hold("bluetoothd") }
        return hold
    }

    /// Does something on its thread.
    func perform(_ body: @escaping @Sendable (ScriptedBluezThread) -> Void) {
        jobs.withLock { $0.append(Job(body: body)) }
        _ = clinux_eventfd_raise(bell.raw)
    }

    /// Does something on its thread and hands its result back.
    func ask<Result: Sendable>(
        _ body: @escaping @Sendable (ScriptedBluezThread, @escaping @Sendable (Result) -> Void) -> Void
    ) async throws -> Result {
        let answers = EventLog<Result>()
        perform { body($0) { answers.record($0) } }
        return try await answers.next("an answer on bluetoothd's thread") { _ in true }
    }

    // A phone through it ------------------------------------------------------------------------

    static func phone(_ number: Int, at adapter: String = hci0) -> String { "\(adapter)/dev_C0_00_00_00_00_0\(number)" }

    func connect(_ phone: String) {
        perform { $0.add(phone, BluezName.device, [("Address", .string(ScriptedBluezThread.address(phone))),
                                               ("AddressType", .string("random")), ("Connected", .bool(true))]) }
    }

    func disconnect(_ phone: String) {
        perform { $0.set(phone, BluezName.device, "Connected", .bool(false)) }
    }

    /// What a phone is answered that writes.
    func write(_ value: [UInt8], _ phone: String, offset: UInt16 = 0) async throws -> Answer {
        try await ask { $0.callCharacteristic("WriteValue", [.bytes(value), $0.options(phone, offset)], $1) }
    }

    /// What a phone is answered that reads.
    func read(_ phone: String, offset: UInt16 = 0) async throws -> Answer {
        try await ask { $0.callCharacteristic("ReadValue", [$0.options(phone, offset)], $1) }
    }
}

extension EventLog<ScriptedBluez.Asked> {
    /// The next call of that method, with whatever arguments.
    func next(call method: String, fileID: String = #fileID, line: Int = #line) async throws {
        try await next("a call of \(method)", fileID: fileID, line: line) {
            if case .called(method, _, _) = $0 { true } else { false }
        }
    }

    /// The next application that is registered, at that adapter or at any.
    func nextApplication(at wanted: String? = nil, fileID: String = #fileID, line: Int = #line) async throws {
        try await next("the application at \(wanted ?? "any adapter")", fileID: fileID, line: line) {
            if case .applicationRegistered(let adapter, _) = $0 { adapter == wanted ?? adapter } else { false }
        }
    }

    /// The next advertisement that is registered.
    func nextAdvertisement(fileID: String = #fileID, line: Int = #line) async throws {
        try await next("an advertisement", fileID: fileID, line: line) {
            if case .advertisementRegistered = $0 { true } else { false }
        }
    }
}
