import ControlProtocol
import Credentials
import Cryptography
import Encoding
import Gate
import Readers
import SiteData
import SiteRules
import Testing
import VirtualPhone

@testable import Controller

/// A gate that is asked whether somebody would pass, and at which somebody then tries.
final class ExplainSite {
    let site: TestSite
    let controller: Controller
    let key: SigningKey
    static let noCooldown = "cooldown-success-ms = 0\ncooldown-failure-ms = 0\n"

    init(lane: String = noCooldown, more: String = "") throws {
        site = try TestSite()
        key = try SigningKey.generate(.p256)
        try site.configure(lane: lane, more: more)
        controller = try site.controller()
    }

    /// Ada's key, changed as a case wants it.
    func ada(audiences: [String] = [], scope: [String] = ["tokn"], from: Int64? = nil, to: Int64? = nil, attested: Bool = false) -> EnrolledKey {
        let now = controller.parts.clock.now().seconds
        return EnrolledKey(keyIdentifier: [7, 7, 7, 7, 7], key: key.publicKey, use: .sign, subject: "ada", scope: scope, audiences: audiences,
                           notBefore: from.map { now + $0 }, expiresAt: to.map { now + $0 }, userVerification: attested)
    }

    func publish(_ records: [PublicationRecord]) throws { try site.publish(records, to: controller) }

    /// What the gate says to the question.
    func explain(_ who: ExplainQuery.Who = .subject("ada"), lane: String? = nil, at: Int64? = nil, command: String? = nil) throws -> JSON {
        try controller.explain(ExplainQuery(who, lane: lane, at: at, command: command))
    }

    /// Every answer about every credential.
    func answers(_ who: ExplainQuery.Who = .subject("ada"), lane: String? = nil, at: Int64? = nil, command: String? = nil) throws -> [JSON] {
        try (explain(who, lane: lane, at: at, command: command)["credentials"]?.array ?? []).flatMap { $0["answers"]?.array ?? [] }
    }

    /// The one answer there is.
    func answer(_ who: ExplainQuery.Who = .subject("ada"), at: Int64? = nil, command: String? = nil) throws -> JSON {
        let answers = try answers(who, at: at, command: command)
        try #require(answers.count == 1)
        return answers[0]
    }

    /// What a tap with the enrolled key comes to.
    func tap(_ known: EnrolledKey, at reader: ReaderName = "entry", command: String? = nil) throws -> Reason? {
        var settings = PhoneSettings()
        settings.command = command
        settings.trigger = .manual
        settings.isForeground = true
        settings.isUnlocked = true
        let phone = TestPhone(PhoneIdentity(credential: .claims(known.credential), key: .signing(key), gates: try site.gates), settings)
        _ = controller.present(phone, at: reader)
        return phone.reason
    }

    /// The question first, then the tap: the two say the same, to the word.
    @discardableResult
    func agree(_ known: EnrolledKey, command: String? = nil, sourceLocation: SourceLocation = #_sourceLocation) throws -> JSON {
        let said = try answer(command: command)
        let reason = try tap(known, command: command)
        #expect(said["reason"]?.string == reason?.rawValue, sourceLocation: sourceLocation)
        #expect(said["result"]?.string == (reason == .granted ? "granted" : "denied"), sourceLocation: sourceLocation)
        return said
    }

    /// Words of an answer, for people.
    static func because(_ answer: JSON) -> String { (answer["because"]?.array ?? []).compactMap(\.string).joined(separator: " ") }
}
