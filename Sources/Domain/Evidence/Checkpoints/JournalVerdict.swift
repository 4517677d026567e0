import Encoding

/// What an auditor learns of a journal both of whose chains are whole: do the signed checkpoints in it hold, does it hold
/// against one from outside, and what could not be found without one.
public struct JournalVerdict: Sendable {
    /// The main chain.
    public let main: ChainResult
    /// The chain of what nobody proved; nil where it was not given, as with what was collected.
    public let unproven: ChainResult?
    /// The checkpoints in the main chain.
    public let review: CheckpointReview
    /// The checkpoint from outside, if one was given.
    public let outside: OutsideComparison?
    /// Whether the keys came from whoever asks, and not from the gate that is asked about.
    public let isKeyGiven: Bool
    /// Whether whoever asks said whose journal it is to be.
    public let isOwnerGiven: Bool

    /// A verdict.
    public init(
        main: ChainResult, unproven: ChainResult?, review: CheckpointReview, outside: OutsideComparison?, isKeyGiven: Bool, isOwnerGiven: Bool = true
    ) {
        self.main = main
        self.unproven = unproven
        self.review = review
        self.outside = outside
        self.isKeyGiven = isKeyGiven
        self.isOwnerGiven = isOwnerGiven
    }

    /// Whether nothing speaks against the journal.
    public var holds: Bool { review.holds && outside?.fault == nil }

    /// The codes of what speaks against it, the outside checkpoint's first.
    public var codes: [String] {
        (outside?.fault.map { [$0.code] } ?? []) + review.findings.map(\.fault.code)
    }

    /// What was found, a sentence a line.
    public var lines: [String] {
        let chains: [String] = [Self.line("The main chain", main), unprovenLine]
        let parts: [[String]] = [[ownerLine], partLines, chains, setAsideLines, checkpointLines, outsideLines]
        return parts.flatMap { $0 }
    }

    /// What could not be found, in words.
    public var limits: [String] {
        var limits: [String] = []
        if outside == nil {
            limits.append(
                "Without a checkpoint from outside (--since-checkpoint) nobody can see that records were cut off at the end, "
                    + "that an older copy was put in place, or that everything was written anew by somebody with the audit key.")
        }
        if !review.continuations.isEmpty {
            limits.append("A record that a journal was set aside is not signed by itself: whoever can write the file can write one, and take records out with it.")
        }
        if main.last > max(review.covered, outside?.signed.checkpoint.main.sequence ?? 0) {
            let from = max(review.covered, outside?.signed.checkpoint.main.sequence ?? 0, main.first - 1) + 1
            limits.append("No checkpoint stands for the records from \(from) to \(main.last): whoever can write the journal could have written them anew.")
        }
        if !isKeyGiven {
            limits.append("The audit key came from the gate or its journal: give one that was kept elsewhere (--audit-key).")
        }
        if !isOwnerGiven {
            limits.append("Nobody said whose journal it is to be, and another gate's is as whole: give the names that you know (--site, --gate).")
        }
        return limits
    }

    /// The verdict as JSON.
    public var json: JSON {
        var fields: JSONObject = [
            "holds": .bool(holds), "main": Self.json(main),
            "checkpoints": [
                "count": .integer(Int64(review.count)), "covered": .integer(Int64(clamping: review.covered)),
                "longestGap": .integer(Int64(clamping: review.longestGap)),
                "findings": .array(review.findings.map {
                    ["sequence": .integer(Int64(clamping: $0.sequence)), "code": .string($0.fault.code)]
                })
            ],
            "limits": .array(limits.map { .string($0) })]
        fields["unproven"] = unproven.map(Self.json)
        if !review.continuations.isEmpty { fields["setAside"] = .array(review.continuations.prefix(Self.mostNamed).map(\.json)) }
        if let owner = review.owner {
            fields["site"] = .string(owner.site)
            fields["gate"] = .string(owner.gate)
        }
        if let outside {
            var compared: JSONObject = [
                "holds": .bool(outside.fault == nil), "sequence": .integer(Int64(clamping: outside.signed.checkpoint.main.sequence))]
            compared["code"] = outside.fault.map { .string($0.code) }
            fields["outside"] = .object(compared)
        }
        return .object(fields)
    }

    /// The most records of files that were set aside that are named.
    private static let mostNamed = 20

    private var unprovenLine: String {
        unproven.map { Self.line("The chain of what nobody proved", $0) } ?? "The chain of what nobody proved is not in the file."
    }

    private var ownerLine: String {
        guard let owner = review.owner else { return "Nothing in it says whose journal it is: no checkpoint holds." }
        return "The journal of gate \(Quotation.of(owner.gate)) of site \(Quotation.of(owner.site)), as its checkpoints say."
    }

    private var setAsideLines: [String] { review.continuations.prefix(Self.mostNamed).map { $0.sentence } }

    /// Whose each part is, where that is not one gate's.
    private var partLines: [String] {
        guard review.parts.count > 1 else { return [] }
        return review.parts.map {
            "The checkpoints in records \($0.first) to \($0.last) are signed as gate \(Quotation.of($0.owner.gate)) of site \(Quotation.of($0.owner.site))."
        }
    }

    private static func json(_ chain: ChainResult) -> JSON {
        ["first": .integer(Int64(clamping: chain.first)), "sequence": .integer(Int64(clamping: chain.last)),
         "head": .string(Hex.encode(chain.hash))]
    }

    private static func line(_ title: String, _ chain: ChainResult) -> String {
        "\(title) is whole: records \(chain.first) to \(chain.last), head \(Hex.encode(chain.hash))."
    }

    private var checkpointLines: [String] {
        let held = review.count == 0
            ? "No signed checkpoint in it holds." : "\(review.count) signed checkpoints in it hold, up to record \(review.covered)."
        return [held] + review.findings.map { "Record \($0.sequence): \($0.fault.code): \(Self.sentence($0.fault))" }
    }

    private var outsideLines: [String] {
        guard let outside else { return [] }
        let told = "The checkpoint from outside (record \(outside.signed.checkpoint.main.sequence), "
            + "\(UTCText.make(milliseconds: outside.signed.checkpoint.milliseconds)))"
        guard let fault = outside.fault else {
            return ["\(told) holds: what it stands for is still there and unchanged."
                + (outside.isUnprovenTooOld ? " What nobody proved then has been let go." : "")]
        }
        return ["\(told): \(fault.code): \(Self.sentence(fault))"]
    }

    private static func sentence(_ fault: CheckpointFault) -> String {
        switch fault {
        case .unreadable: "it is no checkpoint, or it was changed."
        case .keyUnknown: "none of the audit keys that are believed is said to have signed it."
        case .signatureWrong: "its signature is not one by the audit key that it names: it was changed."
        case .otherGate: "it is of another gate or site."
        case .rewritten: "the journal has another record in the place of the one that it names: the chain was written anew."
        case .cut: "the journal ends before the record that it names: the end was cut off, or an older copy put in place."
        case .misplaced: "it stands before the records that it speaks of: it was put there."
        case .goesBack: "it speaks of less than the one before it: it was put there."
        case .repeated: "it tells of an exchange of which an earlier record tells: one of the two was put there."
        case .droppedEarly: "records that it says were kept are gone, and the ring had room for them: they were taken out, with a new anchor."
        case .setAside: "not covered: what it stands for is gone, and the journal says that it was set aside with a damaged file. "
            + "Look for that file (journal.db.corrupt-N) and verify it together with this one; without it somebody may have taken the records out."
        case .tooOld: "the ring has let go the record that it names: it cannot be compared any more."
        }
    }
}
