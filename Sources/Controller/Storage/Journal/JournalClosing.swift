/// How the closing of a journal went.
public enum JournalClosing: Hashable, Sendable {
    /// Everything that could be written is on the disk, and the files are closed.
    case complete
    /// The disk did not answer in time. The journal's thread is left behind with it and goes on should it
    /// answer yet; until then, or until the process ends, the folder stays in use.
    case abandoned
}
