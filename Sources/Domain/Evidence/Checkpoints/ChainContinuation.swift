import Encoding

/// What a record `journal-set-aside` says: a damaged journal was set aside, and the chains go on in a new file. Whoever owns the
/// disk can write such a record, so that it excuses nothing.
public struct ChainContinuation: Hashable, Sendable {
    /// The record of the main chain that says so.
    public let sequence: UInt64
    /// When, in UNIX milliseconds by the gate's clock.
    public let milliseconds: Int64
    /// The newest record of the main chain before.
    public let main: UInt64
    /// The same in the other chain; nil where the record does not say, as older programs wrote it.
    public let unproven: UInt64?

    /// What a record says.
    public init(sequence: UInt64, milliseconds: Int64, main: UInt64, unproven: UInt64?) {
        self.sequence = sequence
        self.milliseconds = milliseconds
        self.main = main
        self.unproven = unproven
    }

    /// What an auditor is told of it.
    var sentence: String {
        "Record \(sequence) says that a damaged journal was set aside (\(UTCText.make(milliseconds: milliseconds))) and the main chain goes on "
            + "from its record \(main): nothing here shows what was in it. Verify the file that was set aside, too."
    }

    var json: JSON {
        var fields: JSONObject = [
            "sequence": .integer(Int64(clamping: sequence)), "time": .string(UTCText.make(milliseconds: milliseconds)),
            "main": .integer(Int64(clamping: main))]
        fields["unproven"] = unproven.map { .integer(Int64(clamping: $0)) }
        return .object(fields)
    }
}
