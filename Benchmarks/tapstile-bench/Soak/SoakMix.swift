import Credentials
import VirtualPhone

/// Who comes to the gate, in an order that is the same in every run.
struct SoakMix: Sendable {
    /// One of so many phones says nothing more and keeps its reader until the deadline.
    static let silentEvery = 1000

    private let kinds: [SoakKind]
    private let round: [Int]
    private let silent: SoakKind

    init(book: PhoneBook, odd: SoakPhones) {
        kinds = Self.granted(book, odd) + Self.refused(odd) + Self.broken(book, odd)
        silent = SoakKind(name: "silent", share: 0, expected: .timeout, phones: book.byValue, behaviour: .isSilent(from: 1))
        round = Self.interleaved(kinds.map(\.share))
    }

    /// The kind of tap `number`, and who of that kind it is.
    func encounter(_ number: Int) -> (kind: SoakKind, phone: PhoneIdentity) {
        let turn = number / round.count
        let kind = number % Self.silentEvery == Self.silentEvery - 1 ? silent : kinds[round[number % round.count]]
        return (kind, kind.phones[(turn + number) % kind.phones.count])
    }

    /// Tokens by value and enrolled keys are most of what a gate sees; then those that begin twice.
    private static func granted(_ book: PhoneBook, _ odd: SoakPhones) -> [SoakKind] {
        [SoakKind(name: "token by value", share: 12, expected: .granted, phones: book.byValue),
         SoakKind(name: "enrolled key", share: 9, expected: .granted, phones: book.enrolled),
         SoakKind(name: "enrolled key that agrees", share: 2, expected: .granted, phones: odd.agreeing,
                  settings: PhoneSettings(gateSigns: false)),
         SoakKind(name: "token by reference", share: 1, expected: .granted, phones: odd.byReference),
         SoakKind(name: "another suite first", share: 1, expected: .granted, phones: book.enrolled,
                  settings: PhoneSettings(suites: [0, 2])),
         SoakKind(name: "suite of iPhones", share: 1, expected: .granted, phones: book.byValue, settings: PhoneSettings(suites: [5])),
         SoakKind(name: "suite of browsers", share: 1, expected: .granted, phones: book.byValue, settings: PhoneSettings(suites: [6])),
         SoakKind(name: "left before the outcome", share: 1, expected: .granted, phones: book.byValue,
                  behaviour: .leaves(before: 3))]
    }

    private static func refused(_ odd: SoakPhones) -> [SoakKind] {
        [SoakKind(name: "revoked key", share: 1, expected: .revoked, phones: odd.revoked),
         SoakKind(name: "revoked token", share: 1, expected: .revoked, phones: odd.revokedTokens),
         SoakKind(name: "expired key", share: 1, expected: .expired, phones: odd.expired),
         SoakKind(name: "expired token", share: 1, expected: .expired, phones: odd.expiredTokens),
         SoakKind(name: "wrong proof", share: 1, expected: .badProof, phones: odd.impostors),
         SoakKind(name: "foreign token", share: 1, expected: .unknownIssuer, phones: odd.foreign),
         SoakKind(name: "stranger", share: 1, expected: .unknownKey, phones: odd.strangers)]
    }

    private static func broken(_ book: PhoneBook, _ odd: SoakPhones) -> [SoakKind] {
        let left = (0..<3).map { count in
            SoakKind(name: "left before answer \(count)", share: 1, expected: .cardRemoved, phones: book.byValue,
                     behaviour: .leaves(before: count))
        }
        return left + [
            SoakKind(name: "somebody else's card", share: 1, expected: .noApplication, phones: book.byValue, behaviour: .isNotOurs),
            SoakKind(name: "broken message 1", share: 1, expected: .protocolError, phones: book.enrolled, behaviour: .stutters(at: 0, byte: 0)),
            SoakKind(name: "broken message 3", share: 1, expected: .protocolError, phones: book.enrolled, behaviour: .stutters(at: 1, byte: 40))]
    }

    /// Indices, each as often as its share says, spread over the round.
    private static func interleaved(_ shares: [Int]) -> [Int] {
        var left = shares
        var order: [Int] = []
        while let most = left.max(), most > 0 {
            for index in left.indices where left[index] > 0 {
                order.append(index)
                left[index] -= 1
            }
        }
        return order
    }
}
