/// When a virtual chip does something wrong.
public struct PN532Misbehaviour: Hashable, Sendable {
    public let fault: PN532Fault
    /// nil: at every command.
    public let command: PN532Command?
    /// So many of these commands are served well before.
    private var skipping: Int
    /// So often it happens; nil: from then on always.
    private var times: Int?

    public init(_ fault: PN532Fault, at command: PN532Command? = nil, after skipping: Int = 0, times: Int? = nil) {
        self.fault = fault
        self.command = command
        self.skipping = skipping
        self.times = times
    }

    /// The fault that this command meets.
    mutating func fault(at command: PN532Command) -> PN532Fault? {
        guard self.command == nil || self.command == command, times != 0 else { return nil }
        guard skipping == 0 else {
            skipping -= 1
            return nil
        }
        times = times.map { $0 - 1 }
        return fault
    }
}
