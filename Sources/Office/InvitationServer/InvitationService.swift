import Attestation
import Encoding
import InvitationDesk
import Invitations
import Service
import Threads
import WebServer

/// The server of invitations at work: one listener for visitors and, where wanted, one for operators, on the desk in a folder.
public final class InvitationService: Sendable {
    /// What it works with.
    public let desk: InvitationDesk
    private let log: Log
    private let attestation: SiteAttestation?
    private let visitorSite: VisitorSite
    private let visitors: WebServer
    private let operators: WebServer?

    /// Begins to serve.
    /// - Parameters:
    ///   - clock: says the time, as long as somebody answers for it.
    public init(folder: String, clock: @escaping ServingClock, log: Log) throws(InvitationServiceError) {
        self.log = log
        let attestation = try Self.attestation(folder)
        self.attestation = attestation
        do throws(DeskError) {
            desk = try InvitationDesk.open(folder: folder, attestation: attestation?.judge) { log.error("\($0.code): \($0.message)") }
        } catch {
            throw .desk(error)
        }
        do throws(WebServerError) {
            let settings = desk.settings
            let site = VisitorSite(desk: desk, clock: clock, pages: VisitorPages())
            visitorSite = site
            // Who has an access goes on renewing it where the page is missing.
            do throws(WebServerError) {
                site.serve(try VisitorPages(folder: settings.pages ?? VisitorPages.usualFolder))
            } catch {
                log.error("\(error.code): \(error.message)")
            }
            let visitors = try WebServer(at: settings.listen.place, certificate: settings.certificate?.web(nil),
                                         policy: VisitorSite.policy(isSecure: settings.origin.isSecure), tooLong: VisitorSite.tooLong,
                                         log: { log.debug("visitors: \($0)") }, handler: { site.answer($0) })
            self.visitors = visitors
            guard let page = settings.operatorPage else {
                operators = nil
                return
            }
            do throws(WebServerError) { operators = try Self.operators(desk, page, clock, log) } catch {
                visitors.stop()
                throw error
            }
        } catch {
            throw .web(error)
        }
    }

    /// Looks at all that it needs, and listens nowhere.
    public static func check(folder: String) throws(InvitationServiceError) -> DeskSettings {
        let desk: InvitationDesk
        _ = try attestation(folder)
        do throws(DeskError) {
            desk = try InvitationDesk.open(folder: folder)
            try desk.checkLog()
        } catch {
            throw .desk(error)
        }
        let settings = desk.settings
        do throws(WebServerError) {
            _ = try VisitorPages(folder: settings.pages ?? VisitorPages.usualFolder)
            try settings.certificate?.web(nil).check()
            try settings.operatorPage.map { page throws(WebServerError) in try page.certificate?.web(page.clientAuthority).check() }
        } catch {
            throw .web(error)
        }
        return settings
    }

    /// In one sentence, for whoever looks at the unit.
    public var status: String {
        let places = [desk.settings.listen.place.text] + (desk.settings.operatorPage.map { ["operators at \($0.listen.place.text)"] } ?? [])
        return "Invitations of \(desk.settings.site) at \(places.joined(separator: ", "))."
    }

    /// How many are connected.
    public var connections: Int { visitors.connections + (operators?.connections ?? 0) }

    /// Reads anew: certificates, the page for visitors, the list of attestations that were revoked. Of what is no good the old one stays. Other settings
    /// count from the next start on.
    /// - Returns: what was no good, each in a sentence.
    public func reload() -> [InvitationServiceError] {
        var wrong: [InvitationServiceError] = []
        for server in [visitors, operators] {
            do throws(WebServerError) { try server?.renewCertificate() } catch { wrong.append(.web(error)) }
        }
        do throws(WebServerError) {
            visitorSite.serve(try VisitorPages(folder: desk.settings.pages ?? VisitorPages.usualFolder))
        } catch {
            wrong.append(.web(error))
        }
        do throws(InvitationServiceError) { try attestation?.renew() } catch { wrong.append(error) }
        return wrong
    }

    /// The certificates that browsers are shown and that are over soon, each in a sentence: whoever renews them may have failed unseen.
    public func endingCertificates(now: Int64) -> [String] {
        [("visitors", visitors), ("operators", operators)].compactMap { name, server in
            guard let end = server?.certificateEnd, end - now < Self.warnedBefore else { return nil }
            return "The certificate for \(name) ends at \(UTCText.make(seconds: end)); phones neither redeem nor renew from then on."
        }
    }

    /// Fourteen days: certbot renews a month before the end.
    private static let warnedBefore: Int64 = 14 * 86_400

    /// Ends in good order: whoever is being answered gets the answer.
    public func stop() {
        visitors.stop()
        operators?.stop()
    }

    /// Nil where the settings have none; whatever else is wrong with them is said by whoever opens the desk.
    private static func attestation(_ folder: String) throws(InvitationServiceError) -> SiteAttestation? {
        guard let settings = (try? DeskSettings.load(folder: folder))?.attestation else { return nil }
        return try SiteAttestation(settings)
    }

    /// Fewer at once than of visitors.
    private static let operatorLimits = WebLimits(connections: 64, connectionsOfAddress: 32, threads: 2)

    private static func operators(_ desk: InvitationDesk, _ page: OperatorPageSettings, _ clock: @escaping ServingClock, _ log: Log)
        throws(WebServerError) -> WebServer {
        if page.clientAuthority != nil, page.certificate == nil {
            throw .notStarted("client-ca needs certificate and key: behind another web server that one asks for certificates.")
        }
        let site = OperatorSite(desk: desk, settings: page, clock: clock, report: { log.warning($0) })
        return try WebServer(at: page.listen.place, certificate: page.certificate?.web(page.clientAuthority),
                             policy: OperatorSite.policy(isSecure: page.origin.isSecure), limits: operatorLimits,
                             log: { log.debug("operators: \($0)") }, handler: { site.answer($0) })
    }
}

extension ListenPlace {
    var place: WebPlace {
        switch self {
        case .address(let host, let port): .internet(host: host, port: port)
        case .unix(let path): .unix(path: path)
        }
    }
}

extension CertificateFiles {
    func web(_ clientAuthority: String?) -> WebCertificate { WebCertificate(chain: certificate, key: key, clientAuthorities: clientAuthority) }
}

extension String {
    fileprivate var isSecure: Bool { hasPrefix("https://") }
}
