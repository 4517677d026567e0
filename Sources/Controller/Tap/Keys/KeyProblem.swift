/// A key, or a credential of one, that the configuration names and the gate cannot use. The gate runs without it, does nothing that
/// needs it, and says so: a board comes up before anybody has brought its keys (T13).
package struct KeyProblem: Error, Equatable, Sendable {
    /// What the key is for.
    package enum Purpose: String, Sendable {
        case signing = "gate.signing-key"
        case agreement = "gate.agreement-key"
        case nextSigning = "gate.next-signing-key"
        case nextAgreement = "gate.next-agreement-key"
        case signingCredential = "gate.signing-credential"
        case agreementCredential = "gate.agreement-credential"
        case root = "trust.root"
    }

    /// Which key.
    package let purpose: Purpose
    /// Its file.
    package let path: String
    /// Stable code.
    package let code: String
    /// A sentence for people that names the remedy.
    package let message: String

    /// There is no such file: nobody has brought it yet.
    static func missing(_ purpose: Purpose, _ path: String) -> KeyProblem {
        KeyProblem(purpose: purpose, path: path, code: "key-file-missing",
                   message: "There is no \(path). \(remedy(purpose, path))")
    }

    /// The disk does not give the file.
    static func unreadable(_ purpose: Purpose, _ path: String, _ cause: String) -> KeyProblem {
        KeyProblem(purpose: purpose, path: path, code: "key-file-unreadable",
                   message: "\(cause) Look after the disk (dmesg); then bring the key again. \(remedy(purpose, path))")
    }

    /// The gate's user may not read the file.
    static func forbidden(_ purpose: Purpose, _ path: String, _ cause: String) -> KeyProblem {
        KeyProblem(purpose: purpose, path: path, code: "key-file-unreadable",
                   message: "\(cause) Let the gate read it: sudo chgrp tapstile-gate \(path) && sudo chmod 640 \(path) "
                       + "&& sudo tapstile reload")
    }

    /// What is in the file is of no use.
    static func unusable(_ purpose: Purpose, _ path: String, code: String, _ cause: String) -> KeyProblem {
        KeyProblem(purpose: purpose, path: path, code: code, message: "\(path): \(cause) \(remedy(purpose, path))")
    }

    private static func remedy(_ purpose: Purpose, _ path: String) -> String {
        let (maker, file, mode, meanwhile) = switch purpose {
        case .signing: ("gate", "gate-signing.key", "640", "")
        case .agreement: ("gate", "gate-agreement.key", "640", "")
        case .nextSigning: ("gate --rotate", "gate-signing.key", "640", "The gate stays with the key it has. ")
        case .nextAgreement: ("gate --rotate", "gate-agreement.key", "640", "The gate stays with the key it has. ")
        case .signingCredential: ("gate --credential", "gate-signing.cwt", "644", "Phones that do not know the key stay outside. ")
        case .agreementCredential: ("gate --credential", "gate-agreement.cwt", "644", "Phones that do not know the key stay outside. ")
        case .root: ("publish init", "metadata/1.root.json", "644", "")
        }
        return meanwhile + "In the office `tapstile-authority \(maker)` makes \(file); bring it here: "
            + "sudo install -o root -g tapstile-gate -m \(mode) \(file) \(path) && sudo tapstile reload"
    }
}
