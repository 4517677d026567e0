import Credentials
import Cryptography

/// No input stops the reader of phones' public keys. What it takes is a point of P-256, and is written and read again in every form.
func fuzz(_ input: [UInt8]) {
    let phone: PhoneKey
    do throws(PhoneKeyError) {
        phone = try PhoneKey(parsing: input)
    } catch {
        precondition(!error.code.isEmpty && !error.message.isEmpty, "a refusal says what is wrong")
        return
    }
    precondition(phone.key.curve == .p256 && phone.key.y != nil, "phones have points of P-256")
    for form in PhoneKeyForm.allCases {
        guard let written = try? phone.encoded(as: form), let again = try? PhoneKey(parsing: written) else {
            // Files of ours hold no key that everybody has; in other forms it is refused where it would count.
            precondition(form == .tapstile && phone.key.isWellKnown, "a key is read as it was written")
            continue
        }
        precondition(again.key == phone.key, "the same key")
        switch form {
        case .jwk, .cose: precondition(again.use == phone.use, "the same use")
        case .tapstile: precondition(again.use == phone.use ?? .sign, "a file of ours says the use")
        case .pem, .der, .point: precondition(again.use == nil, "no use")
        }
    }
}
