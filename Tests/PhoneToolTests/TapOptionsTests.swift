import PhoneProtocol
import PhoneTool
import Testing

/// What is written on a command line for a tap.
@Suite struct TapOptionsTests {
    @Test func itemsAreReadAsWritten() {
        #expect(EADItem(text: "4711") == EADItem(label: 4711, isCritical: false, value: nil))
        #expect(EADItem(text: "4711!") == EADItem(label: 4711, isCritical: true, value: nil))
        #expect(EADItem(text: "65535!:00ff") == EADItem(label: 65535, isCritical: true, value: [0x00, 0xFF]))
        #expect(EADItem(text: "0:") == EADItem(label: 0, isCritical: false, value: []))
        for text in ["", "!", "-1", "0!", "65536", "1:0", "1:xx", "1!!", "1 ", "1:00:00"] { #expect(EADItem(text: text) == nil) }
    }

    @Test func otherSitesAreReadAsWritten() throws {
        let token = try #require(MembershipFiles("key=k,gates=g,token=a=b"))
        #expect(token.keyPath == "k")
        #expect(token.gatesPath == "g")
        guard case .token("a=b") = token.files,
              case .tokenReference("t")? = MembershipFiles("reference=t,gates=g,key=k")?.files,
              case .claims("c", token: nil)? = MembershipFiles("key=k,gates=g,ccs=c")?.files,
              case .keyIdentifier("c", token: "t"?)? = MembershipFiles("key=k,gates=g,enrolled-kid=c,token=t")?.files
        else {
            Issue.record("a form is not read")
            return
        }
        let bad = [
            "", "key=k", "key=k,gates=g", "key=k,gates=g,token=", "key=k,key=k,gates=g,token=t", "key=k,gates=g,token=t,reference=t",
            "key=k,gates=g,ccs=c,enrolled-kid=c", "key=k,gates=g,token=t,more=m", "key=k,gates=g,ccs=c,more=m", "key=k,gates=g,token=t,",
            "key,gates=g,token=t"
        ]
        for text in bad { #expect(MembershipFiles(text) == nil, "\(text)") }
    }
}
