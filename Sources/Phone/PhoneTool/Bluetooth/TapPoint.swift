/// What a phone does on its way through a tap over Bluetooth, step by step.
public enum TapPoint: String, CaseIterable, Sendable {
    /// It connects.
    case connect
    /// It writes message_1.
    case message1 = "message-1"
    /// It reads message_2.
    case message2 = "message-2"
    /// It writes message_3.
    case message3 = "message-3"
    /// It reads the outcome.
    case outcome
}
