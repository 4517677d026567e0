extension KeyFile {
    /// A fresh key on P-256, or Ed25519 for a role of a repository. Throws `curveDoesNotFit` when the role does not go with that use.
    public init(role: KeyRole, making use: KeyUse) throws(CryptographyError) {
        let material: KeyMaterial = switch use {
        case .sign: .signing(try SigningKey.generate(role.usualCurve))
        case .agree: .agreement(try AgreementKey.generate(.p256))
        }
        do throws(KeyFileError) { try self.init(role: role, material: material) } catch { throw .curveDoesNotFit }
    }
}
