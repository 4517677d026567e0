import Cryptography
import Encoding

extension ExchangeLedger {
    /// SELECT, message_1 and the shared secret.
    mutating func opening() throws -> Offered {
        var chapter = WorkedChapter(
            title: "SELECT and message_1",
            text: "Method 0, suite \(suite.number), C_I `00`, no EAD_1. The phone makes X anew for every SELECT.")
        let x = chapter.note("X", "", exchange.phoneEphemeral)
        let phone = try AgreementKey(rawPrivate: x, curve: suite.curve)
        let point = chapter.note("G_X", suite.point("X"), phone.publicKey.x)
        let message1 = chapter.note(
            "message_1", "(0, \(suite.number), G_X, h'00')", [0x00, UInt8(suite.number)] + CBOR.bytes(point).encoded + [0x00])
        let objects = [0x80, 0x01, 0x01] + Self.object(0x81, message1)
        let answer = Self.object(0x6F, Self.object(0xA5, objects))
        let command = chapter.note("SELECT", "", Self.selectCommand)
        air.append(Recording.Step(
            command: command,
            response: chapter.note("SELECT_response", "6F(A5(80(01), 81(message_1))) 90 00", answer + [0x90, 0x00])))
        chapters.append(chapter)

        var keys = WorkedChapter(title: "G_XY, the shared secret", text: "The gate has its ephemeral key ready.")
        let y = keys.note("Y", "", exchange.gateEphemeral)
        let gate = try AgreementKey(rawPrivate: y, curve: suite.curve)
        let gatePoint = keys.note("G_Y", suite.point("Y"), gate.publicKey.x)
        let secret = keys.note("G_XY", suite.secret, try phone.sharedSecret(with: gate.publicKey))
        let hash = keys.note("H_message_1", "SHA-256(message_1)", SHA256.hash(message1))
        chapters.append(keys)
        return Offered(message1Hash: hash, secret: secret, gatePoint: gatePoint)
    }
}
