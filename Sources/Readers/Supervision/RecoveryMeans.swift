/// What there is to bring a reader back, besides asking its program.
struct RecoveryMeans: Hashable, Sendable {
    /// Its reset line is wired to a line of ours.
    var hasResetLine = false
    /// It hangs on a USB port that we may shut.
    var hasPort = false

    /// The steps for a reader with these means, from the mildest to the harshest.
    var rungs: [RecoveryRung] {
        RecoveryRung.allCases.filter { rung in
            switch rung {
            case .abort, .reopen, .restart: true
            case .resetLine: hasResetLine
            case .reauthorise: hasPort
            }
        }
    }
}
