import Encoding

/// What a key may do and how it came to be, as hardware or the system's software holds it (AuthorizationList of Android's key
/// attestation). Entries that say nothing of that are passed over.
struct AuthorizationList {
    private(set) var purposes: [Int64]?
    private(set) var isForAnyApplication = false
    private(set) var needsNoAuthentication = false
    /// Bits of ways to verify a user: 1 what he knows, 2 what he is.
    private(set) var authenticationKinds: Int64?
    /// Seconds; nil for a key that wants its user verified for each signature.
    private(set) var authenticationTimeout: Int64?
    /// Whether a phone that is carried about counts as one whose user is verified, beyond any timeout.
    private(set) var allowsWhileOnBody = false
    private(set) var origin: Int64?
    private(set) var rootOfTrust: RootOfTrust?
    private(set) var patchLevel: Int64?
    private(set) var application: ApplicationIdentifier?

    /// Reads what is inside the sequence; nil if it is malformed. Each tag is there once at most, in ascending order.
    init?(_ content: ArraySlice<UInt8>) {
        var list = DERReader(content)
        var last = 0
        while !list.isAtEnd {
            guard let entry = list.readAny(), let tag = entry.tag.contextNumber, tag > last, adopt(tag, entry.content) else { return nil }
            last = tag
        }
    }

    /// Tags of KeyMint (hardware/interfaces/security/keymint/aidl, Tag.aidl).
    private enum Tag: Int {
        case purpose = 1
        case noAuthRequired = 503
        case userAuthType = 504
        case authTimeout = 505
        case allowWhileOnBody = 506
        case allApplications = 600
        case origin = 702
        case rootOfTrust = 704
        case osPatchLevel = 706
        case attestationApplicationID = 709
    }

    /// - Returns: false for an entry that is malformed.
    private mutating func adopt(_ number: Int, _ content: ArraySlice<UInt8>) -> Bool {
        var file = DERReader(content)
        let isRead: Bool
        switch Tag(rawValue: number) {
        case .purpose:
            purposes = file.read(.set).flatMap(Self.numbers)
            isRead = purposes != nil
        case .noAuthRequired:
            needsNoAuthentication = true
            isRead = file.read(.null)?.isEmpty == true
        case .userAuthType: isRead = Self.read(&file, into: &authenticationKinds)
        case .authTimeout: isRead = Self.read(&file, into: &authenticationTimeout)
        case .allowWhileOnBody:
            allowsWhileOnBody = true
            isRead = file.read(.null)?.isEmpty == true
        case .allApplications:
            isForAnyApplication = true
            isRead = file.read(.null)?.isEmpty == true
        case .origin: isRead = Self.read(&file, into: &origin)
        case .rootOfTrust:
            rootOfTrust = file.readSequence().flatMap { RootOfTrust($0) }
            isRead = rootOfTrust != nil
        case .osPatchLevel: isRead = Self.read(&file, into: &patchLevel)
        case .attestationApplicationID:
            application = file.read(.octetString).flatMap { ApplicationIdentifier(Array($0)) }
            isRead = application != nil
        case nil: isRead = file.readAny() != nil
        }
        return isRead && file.isAtEnd
    }

    private static func read(_ file: inout DERReader, into value: inout Int64?) -> Bool {
        value = file.readNumber()
        return value != nil
    }

    private static func numbers(_ content: ArraySlice<UInt8>) -> [Int64]? {
        var file = DERReader(content), numbers: [Int64] = []
        while !file.isAtEnd {
            guard let number = file.readNumber() else { return nil }
            numbers.append(number)
        }
        return numbers
    }
}
