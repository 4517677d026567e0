extension KeyFile {
    /// A fresh P-256 key. Throws `curveDoesNotFit` when the role does not go with that use.
    public init(role: KeyRole, making use: KeyUse) throws(CryptographyError) {
        let material: KeyMaterial = switch use {
        case .sign: .signing(try SigningKey.generate(.p256))
        case .agree: .agreement(try AgreementKey.generate(.p256))
        }
        do throws(KeyFileError) { try self.init(role: role, material: material) } catch { throw .curveDoesNotFit }
    }
}
