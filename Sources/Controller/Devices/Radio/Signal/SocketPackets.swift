import CLinux
import Files
import Glibc
import Threads

/// The packets that a Bluetooth socket has for us.
enum SocketPackets {
    /// Takes each packet that has come, and waits for none.
    /// - Parameters:
    ///   - longest: what is longer is cut.
    ///   - answer: what a packet answers; nil for one that is for nobody here.
    /// - Throws: when there will be none any more, or what `answer` throws.
    static func answers<Answer>(_ socket: FileDescriptor, longest: Int,
                                _ answer: (ArraySlice<UInt8>) throws(SystemError) -> Answer?) throws(SystemError) -> [Answer] {
        var answers: [Answer] = []
        var packet = [UInt8](repeating: 0, count: longest)
        while true {
            let count = clinux_receive(socket.raw, &packet, packet.count)
            if count == 0 || count == -Int(EAGAIN) { return answers }
            _ = try SystemError.check(Int32(clamping: count), "hear from the adapter")
            if let answer = try answer(packet.prefix(count)) { answers.append(answer) }
        }
    }
}
