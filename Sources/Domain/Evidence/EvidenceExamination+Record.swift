import Credentials
import Encoding
import Vocabulary

/// The record, and what it says of the exchange.
extension EvidenceExamination {
    static func checkRecord(_ file: EvidenceFile, _ record: RecordStatement) -> EvidenceCheck {
        guard file.computedHash == file.hash else {
            return EvidenceCheck(.record, .recordChanged, "The record, or the hash before it, is not what the hash was made of.")
        }
        return EvidenceCheck(.record, "Record \(record.sequence) of the chain \(Quotation.of(record.chain)) has the hash \(Hex.encode(file.hash)).")
    }

    static func checkKept(_ file: EvidenceFile, _ trust: EvidenceTrust) -> [EvidenceCheck] {
        guard let kept = trust.keptHash else { return [] }
        guard kept == file.computedHash else {
            return [EvidenceCheck(.kept, .otherRecord, "The hash that was kept is that of another record.")]
        }
        return [EvidenceCheck(.kept, "It is the record whose hash was kept elsewhere; those before it could not be changed after that.")]
    }

    var checkGrant: EvidenceCheck {
        guard record.chain == "main", record.kind == "outcome", record.isProven,
              record.reason == Reason.granted.rawValue else {
            return EvidenceCheck(.grant, .noGrant, "The record does not say that somebody was granted, but \(Quotation.of(record.reason ?? record.kind)).")
        }
        let action = record.action.map { " (\(Quotation.of($0)))" } ?? ""
        return EvidenceCheck(.grant, "The record says that the gate granted \(Quotation.of(record.command))\(action) to \(Quotation.of(record.subject)).")
    }

    var checkAttempt: EvidenceCheck {
        guard let attempt = record.attempt, attempt.kind == "attempt", attempt.sequence == record.attemptSequence,
              attempt.boot == record.boot, attempt.transcript == evidence.gate?.transcript2 ?? attempt.transcript,
              Self.same(attempt.lane, record.lane), Self.same(attempt.reader, record.reader),
              Self.same(attempt.carrier, record.carrier) else {
            return EvidenceCheck(.attempt, .attemptDiffers, "The attempt in the record is missing, or that of another exchange.")
        }
        return EvidenceCheck(.attempt, "The attempt was recorded before the answer, under the TH_2 that the phone signed.")
    }

    var checkTranscript: EvidenceCheck {
        guard let transcript = evidence.transcript4, transcript == record.transcript else {
            return EvidenceCheck(.transcript, .transcriptDiffers, "TH_4, computed from the evidence, is not that of the record.")
        }
        return EvidenceCheck(.transcript, "TH_3 and TH_4, computed from the evidence, name the exchange of the record.")
    }

    /// Lane and carrier stand in the record, in what the gate said and in what the phone said.
    var checkPlace: EvidenceCheck {
        guard let request, Self.same(request.lane, record.lane), Self.same(request.carrier.rawValue, record.carrier) else {
            return EvidenceCheck(.place, .placeDiffers, "The phone saw another lane or carrier than the record says.")
        }
        guard evidence.gate != nil else {
            return EvidenceCheck(.place, .oldFormat, "The record is of an older format: the lane is the phone's, the gate is not named.")
        }
        guard let context, Self.same(context.lane, record.lane), context.carrier == request.carrier else {
            return EvidenceCheck(.place, .placeDiffers, "The gate told the phone another lane or carrier than the record says.")
        }
        return EvidenceCheck(
            .place, "Gate \(Quotation.of(context.gateIdentifier)), lane \(Quotation.of(context.lane)), \(request.carrier.rawValue): gate, phone and record say the same.")
    }

    /// Seconds by which the time in EAD_2, taken when the phone came, and the record's may differ: an attempt takes
    /// 1.5 s at most, and a clock may be set meanwhile.
    private static let timeTolerance: Int64 = 10

    var checkTime: EvidenceCheck {
        guard evidence.gate != nil else {
            return EvidenceCheck(.time, .oldFormat, "The record is of an older format: the phone's signature covers no time.")
        }
        guard let context else { return EvidenceCheck(.time, .timeDiffers, "The gate told the phone no time.") }
        let (difference, overflows) = record.seconds.subtractingReportingOverflow(context.time)
        guard !overflows, difference.magnitude <= Self.timeTolerance.magnitude else {
            return EvidenceCheck(.time, .timeDiffers, "The time in what the phone signed is \(context.time), that of the record \(record.seconds) (UNIX seconds).")
        }
        return EvidenceCheck(.time, "The time that the phone signed is the record's; the gate's clock was \(Self.words(record.clock)).")
    }

    var checkCommand: EvidenceCheck {
        guard let request, Self.same(request.command, record.command) else {
            return EvidenceCheck(.command, .commandDiffers, "The phone asked for another command than the record says.")
        }
        return EvidenceCheck(.command, "The phone asked for \(Quotation.of(request.command)).")
    }

    static func words(_ clock: ClockTrust) -> String {
        switch clock {
        case .synchronised: "synchronised"
        case .holdover(let age): "unsynchronised for \(age) s"
        case .untrusted: "not to be trusted"
        }
    }
}
