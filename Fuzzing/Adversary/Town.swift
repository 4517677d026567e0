import Credentials
import Cryptography
import PhoneProtocol

/// Two sites, the people of both, and an adversary who may enter a cellar that has no gate here.
struct Town {
    let sites: [Site]
    let people: [Person]
    let eve: Eve

    /// When it all begins, UNIX seconds. Every conversation has a second of its own, so that no two
    /// gates say the same of themselves.
    static let begin: Int64 = 1_800_000_000

    init() throws {
        var uptown = try Site("uptown", number: 1, places: [("north", .nfc), ("north", .ble), ("south", .nfc)])
        let harbour = try Site("harbour", number: 2, places: [("north", .nfc)])
        var makers = Makers([uptown, harbour])
        try makers.byValue("adelaide", site: 0)
        try makers.byReference("bartholomew", site: 0)
        try makers.besideClaims("cornelia", site: 0)
        try makers.agreeing("desideria", site: 0)
        try makers.enrolled("frederica", site: 0, kid: Eve.sharedKid)
        try makers.enrolledAgreeing("gwendolyn", site: 0, kid: [0x2B])
        try makers.byValue("hildegard", site: 1)
        try makers.atBoth("immaculata")
        try makers.byReference("josephine", site: 0, attested: true)
        try makers.enrolled("katharina", site: 0, kid: [0x05], attested: true)
        let eve = try Eve(of: uptown, beside: harbour)
        uptown.enrolled = makers.enrolledKeys + [eve.enrolled]
        sites = [uptown, harbour]
        people = makers.people
        self.eve = eve
    }
}
