// Says what the rooms Encoding and SiteData make of TUF metadata, for comparison with python-tuf.
//
// Each line of input is a question, a word and texts in hexadecimal, and gets one line:
//
//     signed JSON           the bytes that would be signed, in hexadecimal, or `refused`
//     fits PATTERN PATH     `yes`, `no`, or `no-path`
//     quoted TEXT           the text as one part of a path, in hexadecimal
//     count ROLE FILE BY    keys that have signed, and how many must have, or the code of the refusal

import Encoding
import SiteData

func answer(_ words: [String]) throws -> String {
    let texts = try words.dropFirst().map { try Hex.decode($0) }
    let strings = texts.map { String(decoding: $0, as: UTF8.self) }
    switch words.first {
    case "signed": return (try? JSON.parse(texts[0]))?.signedForm.map { Hex.encode($0) } ?? "refused"
    case "fits": return TargetPath(strings[1]).map { PathPattern(strings[0]).fits($0) ? "yes" : "no" } ?? "no-path"
    case "quoted": return Hex.encode(Array(PercentText.encode(strings[0]).utf8))
    case "count": return try count(strings[0], texts[1], texts[2])
    default: return "unknown-question"
    }
}

func count(_ role: String, _ file: [UInt8], _ delegator: [UInt8]) throws -> String {
    do throws(MetadataFault) {
        let count = try SignatureCount(of: try SignedMetadata(file), for: try RoleName(named: role), by: try SignedMetadata(delegator))
        return count.map { "\($0.signed) \($0.threshold)" } ?? "not-delegated"
    } catch {
        return error.code
    }
}

while let line = readLine() {
    do {
        print(try answer(line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)))
    } catch {
        print("not-hexadecimal")
    }
}
