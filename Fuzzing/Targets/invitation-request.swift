import Cryptography
import Encoding
import Invitations

/// No body stops the server of invitations. What is taken is written and read again as the same; answers are as strict towards a server.
func fuzz(_ input: [UInt8]) {
    do throws(InvitationFault) {
        let request = try RedeemRequest(json: input)
        check(request.key, request.signature)
        precondition(request.code.bytes.count == InvitationCode.length, "a code has 16 bytes")
        let statement = request.statement(origin: "https://gates.example").bytes
        precondition(statement.first == UInt8(ascii: "t") && statement.split(separator: 0x0A).count == 7, "seven lines of text, whatever came")
        guard let again = try? RedeemRequest(json: request.json.canonical) else { preconditionFailure("a request is read as it was written") }
        precondition(again == request, "the same request")
    } catch {
        check(error)
    }
    do throws(InvitationFault) {
        let request = try RenewRequest(json: input)
        check(request.key, request.signature)
        precondition(request.statement(origin: "https://gates.example").bytes.split(separator: 0x0A).count == 6, "six lines of text, whatever came")
        guard let again = try? RenewRequest(json: request.json.canonical) else { preconditionFailure("a request is read as it was written") }
        precondition(again == request, "the same request")
    } catch {
        check(error)
    }
    do throws(InvitationFault) {
        let request = try BeginRequest(json: input)
        precondition(InvitationCode(request.code.text) == request.code, "a code has one form")
    } catch {
        check(error)
    }
    guard let json = try? JSON.parse(input) else { return }
    if let access = IssuedAccess(json: json) { precondition(IssuedAccess(json: access.json) == access, "the same access") }
    if let begun = BegunInvitation(json: json) { precondition(BegunInvitation(json: begun.json) == begun, "the same answer") }
}

private func check(_ key: PublicKey, _ signature: [UInt8]) {
    precondition(key.curve == .p256 && key.y != nil && !key.isWellKnown, "phones have points of P-256 that are theirs")
    precondition(signature.count == 64, "r and s")
}

private func check(_ fault: InvitationFault) {
    precondition(!fault.message.isEmpty && (400...503).contains(fault.status), "a refusal says what is wrong")
    precondition((try? JSON.parse(fault.json.canonical)) == fault.json, "an answer is JSON")
}
