import Credentials
import Cryptography
import Encoding
import PhoneProtocol
import Service
import Testing
import Vocabulary

@testable import Controller
@testable import Tap

/// Which key is in force, and what is shown for it, for every clock.
@Suite("The keys of a gate by the clock") struct KeyRingTests {
    static let date: Int64 = 1_900_000_000
    let issuer: SigningKey
    let old: SigningKey
    let new: SigningKey

    init() throws {
        issuer = try SigningKey.generate()
        old = try SigningKey.generate()
        new = try SigningKey.generate()
    }

    private func token(_ key: PublicKey, from: Int64, to: Int64, use: KeyUse = .sign) throws -> GateToken {
        try GateToken.issue(
            GateTokenClaims(issuer: "demo-gates", site: "demo", notBefore: from, expiresAt: to, cti: [1],
                            confirmationKey: COSEKey(key: key, use: use)), key: issuer)
    }

    private func ring(_ token: GateToken? = nil, hasNext: Bool = true) -> KeyRing {
        KeyRing(signing: KeySlot(current: GateKey(.signing(old), path: "old", site: "demo", token: token),
                                 next: hasNext ? GateKey(.signing(new), path: "new", site: "demo", token: token) : nil),
                agreement: KeySlot(current: nil, next: nil), switchAt: Self.date)
    }

    private func path(_ ring: KeyRing, _ moment: KeyMoment) -> String? {
        ring.signing.inForce(isSwitched: ring.isSwitched(at: moment))?.path
    }

    @Test func theDateIsTheFirstSecondOfTheNextKeys() {
        for trust in [true, false] {
            #expect(path(ring(), KeyMoment(seconds: Self.date - 1, isTrusted: trust)) == "old")
            #expect(path(ring(), KeyMoment(seconds: Self.date, isTrusted: trust)) == "new")
        }
        #expect(path(ring(hasNext: false), KeyMoment(seconds: Self.date, isTrusted: true)) == "old")
    }

    /// A clock that somebody set ahead, without anything that vouches for it, moves no gate to other keys; a power cut
    /// takes no gate back.
    @Test func aClockWithoutTrustCountsAsItsFloor() {
        let ahead = WallTime(milliseconds: (Self.date + 1000) * 1000, doubt: .notSynchronised)
        #expect(KeyMoment(ahead, floor: (Self.date - 5) * 1000) == KeyMoment(seconds: Self.date - 5, isTrusted: false))
        #expect(path(ring(), KeyMoment(ahead, floor: (Self.date - 5) * 1000)) == "old")
        #expect(path(ring(), KeyMoment(ahead, floor: Self.date * 1000)) == "new")
        for trust: ClockTrust in [.synchronised, .holdover(ageSeconds: 5)] {
            let trusted = WallTime(milliseconds: Self.date * 1000, trust: trust)
            #expect(path(ring(), KeyMoment(trusted, floor: 0)) == "new")
        }
    }

    /// Only a clock that somebody vouches for settles the date: its floor is raised to it, also in holdover, and then the
    /// date counts without trust too.
    @Test func theDateIsSettledByATrustedClockOnly() {
        #expect(ring().settledDate(at: KeyMoment(seconds: Self.date, isTrusted: true)) == Self.date)
        #expect(ring().settledDate(at: KeyMoment(seconds: Self.date - 1, isTrusted: true)) == nil)
        #expect(ring().settledDate(at: KeyMoment(seconds: Self.date, isTrusted: false)) == nil)
    }

    @Test func everyKeyOfTheRingIsTheGatesOwn() throws {
        for seconds in [Self.date - 1, Self.date] {
            let keys = ring().keys(at: KeyMoment(seconds: seconds, isTrusted: true))
            #expect(keys.isOwn(old.publicKey) && keys.isOwn(new.publicKey))
            #expect(!keys.isOwn(issuer.publicKey))
        }
    }

    @Test func aCredentialIsShownForItsOwnKeyAlone() throws {
        let ring = ring(try token(new.publicKey, from: 0, to: Self.date * 2))
        let before = KeyMoment(seconds: Self.date - 1, isTrusted: true), after = KeyMoment(seconds: Self.date, isTrusted: true)
        #expect(ring.signing.current?.validToken(at: before) == nil)
        #expect(ring.signing.next?.validToken(at: after) != nil)
        #expect(ring.signing.next?.credential(at: after).bytes == ring.signing.next?.token?.raw)
    }

    /// Phones refuse a credential that is not valid; the CCS is then the better offer.
    @Test func aCredentialIsShownWhileItIsValid() throws {
        let key = GateKey(.signing(old), path: "old", site: "demo", token: try token(old.publicKey, from: 100, to: 200))
        func isShown(_ seconds: Int64, _ isTrusted: Bool) -> Bool {
            let moment = KeyMoment(seconds: seconds, isTrusted: isTrusted)
            #expect(key.credential(at: moment).bytes == (key.validToken(at: moment)?.raw ?? key.reference.claims))
            return key.validToken(at: moment) != nil
        }
        #expect([99, 100, 199, 200].map { isShown($0, true) } == [false, true, true, false])
        // The floor may be long before the time: that it is not valid yet is not known, that it ended is.
        #expect([99, 199, 200].map { isShown($0, false) } == [true, true, false])
    }

    @Test func whatNeedsLookingAfterIsSaid() throws {
        let clock = SystemClock(directory: nil, policy: ClockPolicy(source: .installer))
        let now = clock.now().seconds
        func codes(_ ring: KeyRing) -> [String] { KeyReport(ring, clock).warnings.map(\.code) }
        func ring(until end: Int64) throws -> KeyRing {
            KeyRing(signing: KeySlot(current: GateKey(.signing(old), path: "old", site: "demo",
                                                      token: try token(old.publicKey, from: 0, to: end)), next: nil),
                    agreement: KeySlot(current: nil, next: nil), switchAt: nil)
        }
        #expect(try codes(ring(until: now + 15 * 86400)) == [])
        #expect(try codes(ring(until: now + 13 * 86400)) == ["gate-token-expires"])
        #expect(try codes(ring(until: now - 1)) == ["gate-token-expired"])
    }
}
