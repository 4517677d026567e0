/// What the last run left of a role.
enum Remembered<Body: MetadataBody>: Sendable {
    /// No file, or one that is damaged.
    case nothing
    /// A file that none of the keys has signed that the role has now: they were replaced since.
    case ofReplacedKeys
    /// A file that is good, except that it may have expired: its versions still count.
    case known(Body)

    /// A file in which somebody has changed one byte is not told from one of replaced keys.
    init(_ bytes: [UInt8]?, by signers: Signers) {
        guard let bytes, let file = try? SignedMetadata(bytes), let body = try? Body(file) else {
            self = .nothing
            return
        }
        let count = signers.count(file)
        self = count.isReached ? .known(body) : count.signed == 0 ? .ofReplacedKeys : .nothing
    }

    /// The file, if it is good.
    var body: Body? {
        if case .known(let body) = self { body } else { nil }
    }

    /// Whether its keys were replaced.
    var isOfReplacedKeys: Bool {
        if case .ofReplacedKeys = self { true } else { false }
    }
}
