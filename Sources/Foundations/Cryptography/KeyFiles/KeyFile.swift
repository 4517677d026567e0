import Encoding

/// A key on disk: text lines around the base64 of a deterministic COSE_Key (RFC 9052, 7) with
/// `key_ops` and, under a private label, the role.
///
/// The private half passes through memory in the clear while a file is read or written; what lasts
/// is the library's object, which cleanses itself.
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

    /// The text of the file; with the private half, if this has one. Throws if the library does not
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

/// The lines around a key file.
enum KeyArmour: String, CaseIterable {
    case privateKey = "TAPSTILE PRIVATE KEY"
    case publicKey = "TAPSTILE PUBLIC KEY"

    private static let lineLength = 64
    private var first: String { "-----BEGIN \(rawValue)-----" }
    private var last: String { "-----END \(rawValue)-----" }

    /// What lies between the lines, and which lines they are.
    static func open(_ text: [UInt8]) throws(KeyFileError) -> (KeyArmour, [UInt8]) {
        guard let string = String(validating: text, as: UTF8.self) else { throw .armour }
        let lines = string.split(whereSeparator: \.isNewline).map(trimmed).filter { !$0.isEmpty }
        guard lines.count >= 3, let armour = allCases.first(where: { lines[0] == $0.first }),
              lines[lines.count - 1] == armour.last else { throw .armour }
        let joined = lines[1..<(lines.count - 1)].joined()
        do throws(Base64Error) { return (armour, try Base64.decode(joined)) } catch { throw .armour }
    }

    /// The text with `content` between the lines.
    func close(_ content: [UInt8]) -> [UInt8] {
        let digits = Array(Base64.encode(content).utf8)
        var text = Array(first.utf8) + [newline]
        for start in stride(from: 0, to: digits.count, by: Self.lineLength) {
            text += digits[start..<min(start + Self.lineLength, digits.count)]
            text.append(newline)
        }
        return text + Array(last.utf8) + [newline]
    }

    private var newline: UInt8 { 0x0A }

    private static func trimmed(_ line: Substring) -> Substring {
        var line = line
        while let last = line.last, last == " " || last == "\t" { line.removeLast() }
        return line.drop { $0 == " " || $0 == "\t" }
    }
}

/// Labels of the COSE_Key in a key file (RFC 9052, 7.1; RFC 9053, 7).
enum KeyFileLabel {
    static let type: CBOR = 1
    static let operations: CBOR = 4
    static let curve: CBOR = -1
    static let x: CBOR = -2
    static let y: CBOR = -3
    static let privateValue: CBOR = -4
    /// The role: private use (RFC 9052, 11.2).
    static let role: CBOR = -65537
}
