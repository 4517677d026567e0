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
