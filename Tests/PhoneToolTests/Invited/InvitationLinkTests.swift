import Encoding
import Invitations
import PhoneTool
import Testing

@Suite("Links of invitations")
struct InvitationLinkTests {
    static let code = "AAECAwQFBgcICQoLDA0ODw"

    @Test(arguments: [
        ("https://gates.example/visit/#", "https://gates.example/visit", "https://gates.example"),
        ("HTTPS://Gates.Example:443/#", "https://gates.example", "https://gates.example"),
        ("https://[::1]:8443/a/b/#", "https://[::1]:8443/a/b", "https://[::1]:8443"),
        ("https://192.0.2.1/%7Evisit/#", "https://192.0.2.1/%7Evisit", "https://192.0.2.1")
    ])
    func aLinkIsAServerAndACode(before: String, base: String, origin: String) throws {
        let link = try InvitationLink(before + Self.code)
        #expect(link.server.base == base && link.server.origin == origin)
        #expect(link.code.bytes == Array(0..<16))
        #expect(origin == Statement.origin(of: base), "what is signed is what the server expects")
    }

    @Test(arguments: [
        "", "#", "#\(code)", "https://gates.example/visit/", "https://gates.example/visit/#", "https://gates.example/visit#\(code)",
        "http://gates.example/visit/#\(code)", "http://localhost/visit/#\(code)", "ftp://gates.example/#\(code)",
        "https://gates.example/?next=/#\(code)", "https://gates.example/a//#\(code)", "https://gates.example/../#\(code)",
        "https://user@gates.example/#\(code)", "https://gates.example\\@evil.example/#\(code)", "https://gates.example/#\(code)A",
        "https://gates.example/#\(code.dropLast())", "https://gates.example/#\(code)=", "https://gates.example/#/\(code)",
        "https://gates.example/# \(code)", "https://gates.example/#\(code)\n", " https://gates.example/#\(code)", "https://gates.example/#\(code)#",
        // The last character has two bits that belong to no byte.
        "https://gates.example/#\(code.dropLast())x", "https://gates.example/#AAECAwQFBgcICQoLDA0OD+"
    ])
    func whatIsNoLinkIsRefusedWithoutRepeatingIt(text: String) {
        #expect { try InvitationLink(text) } throws: { error in
            guard let fault = error as? InvitedFault else { return false }
            return fault.code == "link-malformed" && fault.message.hasSuffix(".") && !fault.message.contains(Self.code.dropLast())
        }
    }

    @Test func aPrintedLinkSaysNothingOfItsCode() throws {
        #expect(!"\(try InvitationLink("https://gates.example/#\(Self.code)"))".contains(Self.code))
    }
}
