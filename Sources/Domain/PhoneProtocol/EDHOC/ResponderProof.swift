/// What message_2 said and proved, the same on both sides: it enters TH_3, and with it the initiator's proof.
struct ResponderProof: Sendable {
    /// TH_2.
    let transcript2: [UInt8]
    /// PLAINTEXT_2.
    let plaintext2: [UInt8]
    /// MAC_2, which a signature vouches for.
    let mac2: [UInt8]
    /// CRED_R.
    let credential: [UInt8]

    /// TH_3.
    var transcript3: [UInt8] {
        KeySchedule.transcript(after: transcript2, plaintext: plaintext2, credential: credential)
    }
}
