import PhoneTool

extension TapVerdict {
    /// What the shell is told.
    var exitStatus: Int32 {
        switch self {
        case .granted: 0
        case .refused: 3
        case .none: 4
        }
    }
}
