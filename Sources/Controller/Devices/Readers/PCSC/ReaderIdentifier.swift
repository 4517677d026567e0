import CPCSC
import Threads

/// Asks new readers for their serial number and port, each on a short thread of its own: a
/// reader that hangs must not keep the others waiting. Does nothing when every binding goes by name.
final class ReaderIdentifier: Sendable {
    private let room: ReaderRoom
    private let isNeeded: Bool
    private let threads = Mutex<[Worker]>([])

    private static let attempts = 10
    private static let pause: Int64 = 500

    init(room: ReaderRoom, bindings: [ReaderBinding]) {
        self.room = room
        self.isNeeded = bindings.contains { binding in
            switch binding.match {
            case .name: false
            case .serial, .port: true
            }
        }
    }

    func identify(_ pcscNames: [String]) {
        guard isNeeded else { return }
        for pcscName in pcscNames {
            do {
                let thread = try Worker(reader: "pcsc-identify") { [room] in
                    ReaderIdentifier.identify(pcscName, in: room)
                }
                threads.withLock { threads in
                    threads.removeAll { $0.ends(byMonotonicMilliseconds: 0) }
                    threads.append(thread)
                }
            } catch {
                room.note(nil, error.code, error.message)
            }
        }
    }

    /// The threads that may still run.
    var running: [Worker] { threads.withLock(\.self) }

    private static func identify(_ pcscName: String, in room: ReaderRoom) {
        var last: PCSCError?
        for _ in 0..<attempts where !room.isStopping {
            do throws(PCSCError) {
                let reader = try ask(pcscName)
                room.monitor.change { $0.identified(reader, at: MonotonicTime.milliseconds) }
                return room.publish()
            } catch {
                last = error
                if error.kind == .readerGone || error.kind == .contextLost { return }
            }
            room.pause(milliseconds: pause)
        }
        if let last {
            room.note(nil, last.code, "The reader \(pcscName) could not be asked who it is. \(last.message)")
        }
    }

    private static func ask(_ pcscName: String) throws(PCSCError) -> AttachedReader {
        let context = try PCSCContext()
        let connection = try context.connectDirectly(pcscName)
        defer { connection.disconnect(.leave) }
        let serial = connection.attribute(CPCSC_ATTRIBUTE_SERIAL).flatMap(Self.text)
        let channel = connection.attribute(CPCSC_ATTRIBUTE_CHANNEL).flatMap(ReaderChannel.init)
        return AttachedReader(pcscName: pcscName, serial: serial, port: channel?.port)
    }

    /// Drivers close the text with a zero, or do not.
    private static func text(_ bytes: [UInt8]) -> String? {
        let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        return text.isEmpty ? nil : text
    }
}
