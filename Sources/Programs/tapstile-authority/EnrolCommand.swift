import Authority
import CommandLineOptions
import Encoding
import Glibc

enum EnrolCommand {
    static func run(_ command: ParsedCommand, _ authority: Authority, now: Int64) throws -> Report {
        try command.refuse(["max-loss", "anyway"], besideNot: "from")
        switch try command.exactlyOne(of: ["key", "ccs", "from"]) {
        case "from": return try enrolList(command, authority, now: now)
        case "ccs": return try enrolOne(claims(command, now: now), command, authority, now: now)
        default: return try enrolOne(key(command, now: now), command, authority, now: now)
        }
    }

    private static func enrolOne(_ asked: EnrolmentRequest, _ command: ParsedCommand, _ authority: Authority, now: Int64) throws -> Report {
        var request = asked
        request.userVerification = command.has("user-verified")
        request.unsaid = Set(options.filter { !$0.value.contains(where: command.has) }.keys)
        let enrolment = try authority.enrol(request, now: now)
        let alike = enrolment.isReplacement ? [] : try authority.warnings(ofNamesLike: enrolment.key.subject)
        return try report(enrolment, command, authority.warnings(of: enrolment.rights, now: now).map(\.description) + alike)
    }

    /// What is said by which options.
    private static let options: [EnrolmentRequest.Part: [String]] = [
        .audiences: ["audience"], .scope: ["scope"], .notBefore: ["not-before"], .expiresAt: ["valid", "expires"], .userVerification: ["user-verified"],
        .keyIdentifier: ["kid"]
    ]

    private static func enrolList(_ command: ParsedCommand, _ authority: Authority, now: Int64) throws -> Report {
        let forOneKey = ["subject", "kid", "use", "out", "audience", "scope", "valid", "not-before", "expires", "user-verified"]
        try command.refuse(forOneKey, beside: "from")
        var warnings = ShownSome()
        let (added, replaced) = try authority.enrol(listAt: command.required("from"), mostLost: command.mostLost(), now: now) { line, warning in
            warnings.add("line \(line): \(warning.description)")
        }
        return Report("Enrolled a list of keys.", [("added", JSON(added)), ("replaced", JSON(replaced)), ("warnings", warnings.json)])
    }

    private static func key(_ command: ParsedCommand, now: Int64) throws -> EnrolmentRequest {
        try EnrolmentRequest(key: Authority.phoneKey(at: command.required("key")), use: command.use(), subject: command.required("subject"),
                             keyIdentifier: command.hexadecimal("kid"), rights: command.rights(now: now, defaultSeconds: nil))
    }

    private static func claims(_ command: ParsedCommand, now: Int64) throws -> EnrolmentRequest {
        try command.refuse(["kid"], beside: "ccs")
        let given = try command.required("ccs")
        let bytes = if access(given, F_OK) == 0 { try Authority.bytes(at: given) } else { try command.hexadecimal("ccs") ?? [] }
        return try EnrolmentRequest(claims: bytes, subject: command.value("subject"), use: command.use(),
                                    rights: command.rights(now: now, defaultSeconds: nil))
    }

    private static func change(_ change: RightsChange?) -> JSON { change.map { .string($0.description) } ?? .null }

    private static func report(_ enrolment: Enrolment, _ command: ParsedCommand, _ warnings: [String]) throws -> Report {
        let key = enrolment.key
        if let path = command.value("out") { try Authority.write(key.credential, to: path) }
        return Report(enrolment.isReplacement ? "Replaced what was known of a key." : "Enrolled a key.", [
            ("subject", .string(key.subject)), ("kid", .string(Hex.encode(key.keyIdentifier))),
            ("thumbprint", .string(Hex.encode(key.key.thumbprint))), ("use", .string(key.use.rawValue)),
            ("audience", .array(key.audiences.map(JSON.string))), ("scope", .array(key.scope.map(JSON.string))),
            ("userVerified", .bool(key.userVerification)), ("notBefore", text(key.notBefore)), ("expires", text(key.expiresAt)),
            ("replaced", .bool(enrolment.isReplacement)), ("byKeyIdentifier", .bool(enrolment.mayUseKeyIdentifier)),
            ("ccs", .string(Hex.encode(key.credential))), ("gains", change(enrolment.gains)), ("loses", change(enrolment.losses)), ("warnings", ShownSome(warnings).json)
        ])
    }
}
