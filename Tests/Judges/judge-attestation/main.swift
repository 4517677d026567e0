// Says what the Attestation room makes of chains of certificates, for comparison with another implementation.
//
// Each line of input is one JSON object (`AttestationCase`), each answer one line with one.

import Encoding

while let line = readLine() {
    let answer: JSON
    do {
        answer = try AttestationCase(JSON.parse(Array(line.utf8))).verdict
    } catch {
        answer = ["error": .string("\(error)")]
    }
    print(answer.text)
}
