import Credentials
import Encoding

extension UIDOnlyCard {
    /// What is told of a card in the office, where its number is known anyway.
    var facts: [(String, JSON)] {
        [("uid", .string(Hex.encode(number.bytes))), ("subject", .string(subject)), ("audience", .array(audiences.map(JSON.string))),
         ("notBefore", text(notBefore)), ("expires", text(expiresAt))]
    }
}
