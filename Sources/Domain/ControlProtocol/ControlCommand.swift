/// The words by which requests on the control socket say what they want, and who may send each. docs/control.md has the same table, and a
/// test compares them.
public enum ControlCommand: String, Sendable, CaseIterable {
    case status
    case events
    case lane
    case journal
    case journalAuditKey = "journal-audit-key"
    case journalVerify = "journal-verify"
    case journalProve = "journal-prove"
    case journalCheckpoint = "journal-checkpoint"
    case passback
    case explain
    case reload
    case importFolder = "import-folder"
    case importFollow = "import-follow"
    case sync
    case syncFollow = "sync-follow"
    case laneAct = "lane-act"
    case testLane = "test-lane"
    case passbackReset = "passback-reset"
    case simulate
    case journalCollected = "journal-collected"
    case clockConfirm = "clock-confirm"
    case clockResetFloor = "clock-reset-floor"

    /// The least role that may send it.
    public var leastRole: ControlRole {
        switch self {
        // Nothing in their answers names a person.
        case .status, .events, .lane: .observer
        // Names, and what people's phones signed; data that the site has signed; a file that root wrote.
        case .journal, .journalAuditKey, .journalVerify, .journalProve, .journalCheckpoint, .passback, .explain, .reload, .importFolder,
             .importFollow, .sync, .syncFollow: .maintainer
        // A relay moves, or somebody may pass who could not, or lanes open by plan; records may be written over.
        case .laneAct, .testLane, .passbackReset, .simulate, .journalCollected, .clockConfirm: .operator
        // What has expired could come back.
        case .clockResetFloor: .root
        }
    }

    /// Whether it only looks, and so often that the log has it at `debug` alone.
    public var isLook: Bool {
        switch self {
        case .status, .events, .lane, .journal, .journalAuditKey, .importFollow, .syncFollow: true
        case .journalVerify, .journalProve, .journalCheckpoint, .passback, .explain, .reload, .importFolder, .sync, .laneAct,
             .testLane, .passbackReset, .simulate, .journalCollected, .clockConfirm, .clockResetFloor: false
        }
    }
}

/// Who asks on the control socket. Each may do what those before it may, and more.
public enum ControlRole: Int, Comparable, Sendable, CaseIterable {
    /// Sees how the gate is and what happens at it: no names, no journal.
    case observer
    /// Reads the journal, brings site data, has the configuration read again.
    case maintainer
    /// Lets people through, gives lanes their modes, acknowledges records.
    case `operator`
    /// The administrator of the machine.
    case root

    /// Its word in documents.
    public var word: String {
        switch self {
        case .observer: "observer"
        case .maintainer: "maintainer"
        case .operator: "operator"
        case .root: "root"
        }
    }

    public static func < (left: ControlRole, right: ControlRole) -> Bool { left.rawValue < right.rawValue }
}
