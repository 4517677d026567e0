import ControlProtocol
import Encoding
import Service

extension ControlNotices {
    /// What the server says of itself, in the words of the control messages.
    static var ours: ControlNotices {
        func refusal(_ code: String, _ message: String) -> [UInt8] {
            ControlResponse(id: 0, result: .failure(ControlError(code: code, message: message))).line
        }
        return ControlNotices(
            overlong: refusal("line-too-long", "The line is too long."),
            busy: refusal("too-many-clients", "Too many clients are connected."),
            dropped: { count in
                JSON.object(["v": .integer(ControlVersion.current), "event": "dropped", "count": .integer(Int64(count))]).canonical
            })
    }
}
