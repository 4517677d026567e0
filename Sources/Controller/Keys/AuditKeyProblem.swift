/// Why a gate has no audit key. It serves all the same and signs nothing; the next start tries again.
struct AuditKeyProblem: Error, Equatable, Sendable {
    /// Stable code.
    let code: String
    /// A sentence for people that names the remedy.
    let message: String

    /// The file is there and cannot be read. It is left alone: it may be the right one.
    static func unreadable(_ path: String, _ cause: String) -> AuditKeyProblem {
        AuditKeyProblem(code: "audit-key-unreadable",
                        message: "\(cause) The journal gets no signed checkpoints. Let the gate's user read \(path); then restart tapstiled.")
    }

    /// A new one could not be kept.
    static func unwritten(_ path: String, _ cause: String) -> AuditKeyProblem {
        AuditKeyProblem(code: "audit-key-unwritten",
                        message: "\(cause) The journal gets no signed checkpoints. Let the gate's user write \(path); then restart tapstiled.")
    }
}
