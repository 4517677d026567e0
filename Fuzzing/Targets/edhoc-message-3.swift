import Cryptography
import Encoding
import PhoneProtocol

/// Any bytes as message_3 of RFC 9529, chapter 3: only the message of the trace opens. What may be inside is for `edhoc-plaintext`.
func fuzz(_ input: [UInt8]) { openMessage3(input) }

private let message1 = bytes(
    "0382060258208af6f430ebe18d34184017a9a11bf511c8dff8f834730b96c1b7c8dbca2fc3b637")
private let message2 = bytes(
    "582b419701d7f00a26c2dc587a36dd752549f33763c893422c8ea0f955a13a4ff5d59862a1eef9e0e7e1886fcd")
private let message3 = bytes("52e562097bc417dd5919485ac7891ffd90a9fc")
private let phone = bytes(
    "a2027734322d35302d33312d46462d45462d33372d33322d333908a101a5010202412b2001215820ac75e9ece3e50bfc8ed6"
        + "0399889522405c47bf16df96660a41298cb4307f7eb62258206e5de611388a4b8a8211334ac7d37ecb52a387d257e6db3c2a93df21ff3affc8")
private let gate = bytes(
    "a2026b6578616d706c652e65647508a101a501020241322001215820bbc34960526ea4d32e940cad2a234148ddc21791a12a"
        + "fbcbac93622046dd44f02258204519e257236b2a0ce2023f0931f1f386ca7afda64fcde0108c224c51eabf6072")

private func openMessage3(_ input: [UInt8]) {
    var responder = EDHOCResponder(
        methods: [.bothAgree], suites: [.suite2], connectionIdentifier: [0x27],
        ephemeral: EphemeralKey(known: key("e2f4126777205e853b437d6eaca1e1f753cdcc3e2c69fa884b0a1a640977e418")))
    let own = OwnCredential(
        identifier: CredentialIdentifier(keyIdentifier: [0x32]), credential: gate,
        key: .agreement(key("72cc4761dbd4c78f758931aa589d348d1ef874a7e303ede2f140dcf3e6aa4aac")))
    precondition((try? responder.receiveMessage1(message1)) != nil, "message_1 is good")
    precondition((try? responder.makeMessage2(own)) == message2, "message_2 is the one of the trace")
    let isOpened = (try? responder.receiveMessage3(input)) != nil
    precondition(isOpened == (input == message3), "only the true message_3 opens")
    guard isOpened else { return }
    let initiator = key("fb13adeb6518cee5f88417660841142e830a81fe334380a953406a1305e8706b").publicKey
    precondition((try? responder.verifyMessage3([PeerCredential(credential: phone, key: initiator)])) == 0, "and verifies")
}

private func key(_ hex: String) -> AgreementKey {
    guard let key = try? AgreementKey(rawPrivate: bytes(hex), curve: .p256) else { preconditionFailure("the key is good") }
    return key
}

private func bytes(_ hex: String) -> [UInt8] {
    guard let bytes = try? Hex.decode(hex) else { preconditionFailure("hexadecimal") }
    return bytes
}
