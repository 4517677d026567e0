extension EnrolledKey {
    /// The CCS of this key, as the authority hands it to the phone: what CRED_I is when the phone
    /// gives only its `kid`. Deterministic, so that both sides come to the same bytes.
    public var credential: [UInt8] {
        ConfirmedKeyCredential(key: COSEKey(key: key, keyIdentifier: keyIdentifier), subject: subject).raw
    }
}
