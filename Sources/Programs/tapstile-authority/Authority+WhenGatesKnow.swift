import Authority

extension Authority {
    /// What comes after somebody was revoked, or counts again: until then nothing changes at any gate.
    var whenGatesKnow: String {
        get throws {
            try hasRepository ? "No gate knows yet: gates know after 'publish' (the timer does it within the hour) and their next synchronisation."
                : "No gate knows yet: there is no repository for them; 'publish init' begins one."
        }
    }

    /// The same, where it may have been so before, and gates may know.
    func whatGatesKnow(isNew: Bool) throws -> String {
        isNew ? try whenGatesKnow : "Nothing is new: gates know if they have taken what was published since. 'check-gates' says what each has."
    }
}
