// with: Sources/Phone/PhoneTool/Invited/Answer/*.swift
import Credentials
import Cryptography
import Encoding
import Invitations

/// The key that the corpus's tokens are for; nobody has its private half here.
private let key = try? PublicKey(
    compressedP256: Hex.decode("f92986ae411ea5a8b7e249e5a97a3b2e0ce968c93e0a2aa9e40b82dedeadb115"), yIsOdd: true)

/// A link, a line feed, two digits of a status (20: 200), and a server's answer: what is kept is for this key and of one site, and nothing else is.
func fuzz(_ input: [UInt8]) {
    let pieces = input.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
    if let link = try? InvitationLink(String(decoding: pieces[0], as: UTF8.self)) {
        precondition((try? InvitationLink("\(link.server.base)/#\(link.code.text)")) == link, "a link means one server and one code")
        precondition(Statement.origin(of: link.server.base) == link.server.origin, "what is signed is what the server expects")
        precondition(link.server.base.hasPrefix(link.server.origin) && link.server.origin.hasPrefix("https://"), "a server is asked by https")
    }
    guard pieces.count == 2, let key, let status = Int(String(decoding: pieces[1].prefix(2), as: UTF8.self)) else { return }
    let answer = ServerAnswer(status: status * 10, body: Array(pieces[1].dropFirst(2)))
    do throws(InvitedFault) {
        let received = try ReceivedAccess(try answer.object(), for: key, of: nil, at: 1_800_000_000)
        precondition(answer.status == 200 && received.token.confirmationKey == key, "a token is for this phone")
        precondition((try? AccessTerms(received.terms.json)) == received.terms, "terms are read as they were written")
        precondition(received.terms.expires <= received.terms.renewUntil && received.terms.expires > 1_800_000_000, "nothing is over")
        let entries = GateListEntry.list(parsing: received.gates) ?? []
        precondition(!entries.isEmpty && entries.allSatisfy { site(of: $0) == received.terms.site }, "gates are of the site")
    } catch {
        precondition(!error.code.isEmpty && !error.code.contains("\n"), "a code is a word")
    }
}

private func site(of entry: GateListEntry) -> String? {
    switch entry {
    case .credential(let credential): credential.subject
    case .issuer(let issuer): issuer.site
    }
}
