import Encoding
import Threads

/// When the steps of one presentation happened, in monotonic microseconds.
package struct TapTiming: Sendable {
    /// The conversation began.
    let began: Int64
    /// The response with message_3 was complete: the phone's last byte.
    var lastByte: Int64?
    /// The phone had proved itself and the decision was made.
    var decided: Int64?
    /// How long the journal was waited for: for the attempt and the lane's grant before to be durable, and
    /// from handing the outcome over to its commit.
    var waited: Int64?
    /// The relay line was written.
    var relay: Int64?

    /// A presentation that begins now.
    package init() {
        began = MonotonicTime.microseconds
    }

    /// What events say about it, in microseconds: `phone` until the phone's last byte, `decision`
    /// from there to the decision, `journal` the wait for the journal, `relay` from the last byte to
    /// the relay, `total` from the beginning to the relay.
    var json: JSON {
        var fields: JSONObject = [:]
        if let lastByte { fields["phone"] = .integer(lastByte - began) }
        if let lastByte, let decided { fields["decision"] = .integer(decided - lastByte) }
        if let waited { fields["journal"] = .integer(waited) }
        if let lastByte, let relay { fields["relay"] = .integer(relay - lastByte) }
        if let relay { fields["total"] = .integer(relay - began) }
        return .object(fields)
    }
}
