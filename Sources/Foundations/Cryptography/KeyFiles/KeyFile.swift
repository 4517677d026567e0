import Encoding

/// A key on disk: text lines around the base64 of a deterministic COSE_Key (RFC 9052, 7) with
/// `key_ops` and, under a private label, the role.
///
/// The private half passes through memory in the clear while a file is read or written; what lasts
/// is the libcrypto object, which cleanses itself.
public struct KeyFile: Sendable {
    /// What the key speaks for.
    public let role: KeyRole
    /// The key.
    public let material: KeyMaterial

    /// The longest key file that is read, in bytes.
    public static let longest = 4096

    /// A file for a key. Throws `role` when the role does not go with the key's use.
    public init(role: KeyRole, material: KeyMaterial) throws(KeyFileError) {
        guard role.fits(material.use) else { throw .role }
        self.role = role
        self.material = material
    }

    /// Reads the text of a key file. Blank lines and spaces around lines do not matter.
    public init(parsing text: [UInt8]) throws(KeyFileError) {
        guard text.count <= Self.longest else { throw .tooLong }
        let (armour, content) = try KeyArmour.open(text)
        let item: CBOR
        do throws(CBORError) { item = try CBOR.decode(content) } catch { throw .encoding }
        guard let map = item.map, let name = map[KeyFileLabel.role]?.text else { throw .encoding }
        guard let role = KeyRole(rawValue: name) else { throw .role }
        let material = try KeyMaterial(coseKey: map)
        guard material.isPrivate == (armour == .privateKey) else { throw .wrongHalf }
        guard !material.publicKey.isWellKnown else { throw .wellKnown }
        try self.init(role: role, material: material)
    }

    /// What the private half does.
    public var use: KeyUse { material.use }
    /// The curve.
    public var curve: Curve { material.publicKey.curve }
    /// The public half.
    public var publicKey: PublicKey { material.publicKey }

    /// The private key, if this is one that signs.
    public var signingKey: SigningKey? {
        if case .signing(let key) = material { key } else { nil }
    }

    /// The private key, if this is one that agrees.
    public var agreementKey: AgreementKey? {
        if case .agreement(let key) = material { key } else { nil }
    }

    /// The file without its private half, to be handed on.
    public var publicFile: KeyFile { KeyFile(checkedRole: role, material: material.publicHalf) }

    /// The text of the file; with the private half, if this has one. Throws if libcrypto does not
    /// give the private value out.
    public func text() throws(CryptographyError) -> [UInt8] {
        var map = try material.coseKey()
        map[KeyFileLabel.role] = .text(role.rawValue)
        let armour: KeyArmour = material.isPrivate ? .privateKey : .publicKey
        return armour.close(CBOR.map(map).encoded)
    }

    private init(checkedRole: KeyRole, material: KeyMaterial) {
        role = checkedRole
        self.material = material
    }
}
