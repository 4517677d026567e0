import Authority
import CommandLineOptions
import Encoding
import Evidence

/// `verify-evidence`: what it comes to and who could have made it all the same, every check on a line of its own, then what the
/// file does not prove.
enum VerifyEvidenceCommand {
    static func run(_ command: ParsedCommand, now: Int64) throws -> ExitStatus {
        let path = command.operand(0) ?? ""
        let record = try command.integer("record", in: 1...Int.max).map { UInt64($0) }
        let file = try Authority.evidence(at: path, record: record)
        var trust = try trust(command, file, now: now)
        if let record {
            let outside = try command.value("checkpoint").map { try Authority.checkpoint(at: $0) }
            trust.covered = try Authority.cover(of: record, at: path, by: trust.auditKeys, outside: outside).map { [$0] } ?? []
        }
        let report = EvidenceVerification.verify(file, against: trust)
        if command.has("json") {
            StandardStream.output.write(json(report, path))
        } else {
            for line in lines(report) { StandardStream.output.write(line: line) }
        }
        return switch report.verdict {
        case .holds: .success
        case .onlyPhone: .unsigned
        case .fails: .failure
        }
    }

    /// What is believed: the authority's folder, or what was given in its place.
    private static func trust(_ command: ParsedCommand, _ file: EvidenceFile, now: Int64) throws -> EvidenceTrust {
        var trust = EvidenceTrust()
        let isByItself = sources.contains { command.has($0) }
        if command.has("dir") || !isByItself { trust = try office(command).evidenceTrust(for: file) }
        for path in command.values("issuer-key") { trust.issuers.append(try Authority.issuerKey(at: path)) }
        for path in command.values("gates") { trust.gates += try Authority.gates(at: path) }
        for path in command.values("publication") {
            try Authority.add(publicationAt: path, siteKeyAt: command.required("site-key"), to: &trust, for: file)
        }
        for path in command.values("audit-key") { trust.auditKeys.append(try Authority.auditKey(at: path)) }
        if let key = command.value("phone-key") {
            trust.phoneKey = try digest(key) ?? Authority.phoneKey(at: key).key.thumbprint
        }
        if let hash = command.value("head") {
            guard let hash = digest(hash) else {
                throw CommandLineError.badValue(option: "head", value: hash, wanted: "a hash of 64 hexadecimal digits")
            }
            trust.keptHash = hash
        }
        trust.now = now
        return trust
    }

    /// The options that stand in the place of an authority's folder.
    private static let sources = ["issuer-key", "gates", "publication"]

    /// Whoever checks need not have an authority: without one they are told what to give instead.
    private static func office(_ command: ParsedCommand) throws -> Authority {
        let folder = command.value("dir")
        do throws(AuthorityError) {
            return try Authority(openingFolder: folder ?? ".")
        } catch {
            guard folder == nil, case .noAuthority = error else { throw error }
            throw CommandLineError.oneOptionNeeded(["dir"] + sources)
        }
    }

    // For people ------------------------------------------------------------------------------------

    private static func lines(_ report: EvidenceReport) -> [String] {
        let checks = report.checks.map { check in
            "\(word(check)) \(padded(check.name.rawValue, to: 15)) \(check.fault.map { "\($0.code): " } ?? "")\(check.sentence)"
        }
        let limits = report.limits.map { "not proved, whatever holds: \($0.sentence)" }
        return [report.headline] + (report.remainder.map { [$0] } ?? []) + checks + limits
    }

    private static func word(_ check: EvidenceCheck) -> String {
        guard let fault = check.fault else { return "holds" }
        return fault.isOpen ? "open " : "FAILS"
    }

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.utf8.count))
    }

    // For programs -----------------------------------------------------------------------------------

    private static func json(_ report: EvidenceReport, _ path: String) -> JSON {
        let checks: [JSON] = report.checks.map { check in
            .object(JSONObject([
                ("check", .string(check.name.rawValue)), ("holds", .bool(check.holds)),
                ("code", check.fault.map { .string($0.code) } ?? .null), ("sentence", .string(check.sentence))
            ]))
        }
        let limits: [JSON] = report.limits.map { ["what": .string($0.rawValue), "sentence": .string($0.sentence)] }
        return .object(JSONObject([
            ("file", .string(path)), ("holds", .bool(report.holds)), ("verdict", .string(report.verdict.rawValue)),
            ("sentence", .string(report.headline)), ("remains", json(report.remainder)), ("checks", .array(checks)), ("notProved", .array(limits)),
            ("record", .object(JSONObject(facts(report))))
        ]))
    }

    private static func facts(_ report: EvidenceReport) -> [(String, JSON)] {
        guard let record = report.record else { return [] }
        let said = report.evidence?.gate?.context
        return [
            ("sequence", .integer(Int64(clamping: record.sequence))), ("time", text(record.seconds)),
            ("subject", json(record.subject)), ("lane", json(record.lane)), ("reader", json(record.reader)),
            ("carrier", json(record.carrier)), ("command", json(record.command)), ("action", json(record.action)), ("gate", json(said?.gateIdentifier)),
            ("site", json(report.site)), ("method", report.evidence.map { .integer(Int64($0.method.rawValue)) } ?? .null),
            ("credential", json(record.credential.map { Hex.encode($0) })),
            ("phoneKey", json(report.credential.map { Hex.encode($0.key.thumbprint) }))
        ]
    }

    private static func json(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }
}
