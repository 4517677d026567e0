import Encoding

/// What an operator wants of a ceremony besides what has changed anyway.
public struct CeremonyPlan: Hashable, Sendable {
    /// With which a site begins: the folder of its repository; nil: it has one.
    public var repository: String?
    /// It takes the place of the one that there is.
    public var isReplacement = false
    /// Who makes a key, by role.
    public var holders: [RepositoryRole: [String]] = [:]
    /// Keys that go: names, files of public halves, or beginnings of identifiers.
    public var removed: [String] = []
    /// How many must sign, where that is said.
    public var thresholds: [RepositoryRole: Int] = [:]
    /// For how long what a role signs counts, in seconds, where that is said. Of a site that begins.
    public var validSeconds: [RepositoryRole: Int64] = [:]

    /// Nothing but what has changed.
    public init() {}

    var isEmpty: Bool { self == CeremonyPlan() }
}

extension CeremonyPlan {
    init?(_ json: JSON) {
        self.init()
        func perRole<Value>(_ name: String, _ value: (JSON) -> Value?) -> [RepositoryRole: Value]? {
            var values: [RepositoryRole: Value] = [:]
            for member in json[name]?.object ?? JSONObject() {
                guard let role = RepositoryRole(rawValue: member.key), let value = value(member.value) else { return nil }
                values[role] = value
            }
            return values
        }
        guard let holders = perRole("holders", { $0.array?.compactMap(\.string) }), let thresholds = perRole("thresholds", { $0.integer.map { Int($0) } }),
              let validSeconds = perRole("validSeconds", \.integer), let isReplacement = json["replaces"]?.bool,
              let removed = json["removed"]?.array?.compactMap(\.string) else { return nil }
        repository = json["repository"]?.string
        (self.isReplacement, self.holders, self.removed, self.thresholds, self.validSeconds) = (isReplacement, holders, removed, thresholds, validSeconds)
    }

    var json: JSON {
        func perRole<Value>(_ values: [RepositoryRole: Value], _ json: (Value) -> JSON) -> JSON {
            .object(JSONObject(values.map { ($0.key.rawValue, json($0.value)) }))
        }
        return [
            "repository": repository.map(JSON.string) ?? .null, "replaces": .bool(isReplacement), "removed": .array(removed.map(JSON.string)),
            "holders": perRole(holders) { .array($0.map(JSON.string)) }, "thresholds": perRole(thresholds) { JSON($0) },
            "validSeconds": perRole(validSeconds) { .integer($0) }
        ]
    }
}

/// The office's own copy of a ceremony: the folder that is carried may come back as another one.
struct CeremonyCopy {
    let request: CeremonyRequest
    let plan: CeremonyPlan

    static let file = "ceremony.json"
    /// What stands around the request is short.
    static let longest = CeremonyRequest.longest + 65_536
    private static let format: Int64 = 1

    init(request: CeremonyRequest, plan: CeremonyPlan) { (self.request, self.plan) = (request, plan) }

    init?(parsing bytes: [UInt8]) {
        guard let json = try? JSON.parse(bytes), json["tapstile-office-ceremony"]?.integer == Self.format, let plan = json["plan"].flatMap(CeremonyPlan.init),
              let request = json["request"].flatMap({ CeremonyRequest(parsing: $0.canonical) }) else { return nil }
        self.init(request: request, plan: plan)
    }

    var bytes: [UInt8] {
        guard let request = try? JSON.parse(request.bytes) else { preconditionFailure("what was just written can be read") }
        return (["tapstile-office-ceremony": .integer(Self.format), "plan": plan.json, "request": request] as JSON).canonical
    }
}
