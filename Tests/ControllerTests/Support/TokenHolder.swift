import Credentials
import Cryptography

@testable import Controller

/// A gate without cooldowns, and somebody who holds a token for it; suites that begin there inherit from it.
class TokenHolder {
    let site: TestSite
    let controller: Controller
    let key: SigningKey
    let token: Token
    let events = EventLog()

    /// - Parameter lane: further lines of the lane's settings.
    init(lane: String = "") throws {
        site = try TestSite()
        try site.configure(lane: lane + "\ncooldown-success-ms = 0\ncooldown-failure-ms = 0")
        controller = try site.controller()
        try site.publish(to: controller)
        key = try SigningKey.generate(.p256)
        token = try site.token(site.claims(key.publicKey))
        let events = self.events
        controller.listen { events.add($0) }
    }

    deinit { controller.stop() }
}
