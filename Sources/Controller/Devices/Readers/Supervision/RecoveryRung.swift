/// A step that may bring back a reader, from the mildest to the harshest (O5).
public enum RecoveryRung: String, Hashable, Sendable, CaseIterable {
    /// The call that the chip does not answer is left, and the chip woken up. A reader of pcscd is told to start its field anew.
    case abort
    /// The chip is closed and opened again. A reader of pcscd is reached over a new connection to pcscd.
    case reopen
    /// The chip's reset line, where one is wired.
    case resetLine = "reset-line"
    /// The USB port that it hangs on is shut and opened, where that is allowed.
    case reauthorise
    /// The program that drives it is ended; the next connection starts it anew.
    case restart

    /// What is done, for people.
    var sentence: String {
        switch self {
        case .abort: "it is woken up"
        case .reopen: "it is opened anew"
        case .resetLine: "its reset line is pulled"
        case .reauthorise: "its USB port is switched off and on"
        case .restart: "its program is started anew"
        }
    }
}

/// How often each step was taken to bring a reader back, since the gate started.
public struct RecoveryCounts: Hashable, Sendable {
    private var counts: [RecoveryRung: UInt64] = [:]

    public init() {}

    public subscript(rung: RecoveryRung) -> UInt64 { counts[rung] ?? 0 }

    /// One more.
    mutating func count(_ rung: RecoveryRung) {
        counts[rung, default: 0] += 1
    }
}

/// What there is to bring a reader back, besides asking it, or its program.
struct RecoveryMeans: Hashable, Sendable {
    /// A program of ours drives it, which can be started anew. pcscd is not ours.
    var hasProgram = true
    /// Its reset line is wired to a line of ours.
    var hasResetLine = false
    /// It hangs on a USB port that we may shut.
    var hasPort = false

    /// The steps for a reader with these means, from the mildest to the harshest.
    var rungs: [RecoveryRung] {
        RecoveryRung.allCases.filter { rung in
            switch rung {
            case .abort, .reopen: true
            case .restart: hasProgram
            case .resetLine: hasResetLine
            case .reauthorise: hasPort
            }
        }
    }
}
