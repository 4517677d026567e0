// Says what the Credentials room makes of tokens, for comparison with another implementation.
//
// Each line of input is one JSON object, each answer one line with one. `{"issue": {…}}` gives a token
// of ours; anything else is a token to verify (`TokenCase`).

import Credentials
import Cryptography
import Encoding

while let line = readLine() {
    let answer: JSON
    do {
        let question = try JSON.parse(Array(line.utf8))
        if let request = question["issue"] {
            answer = try issue(request)
        } else {
            answer = try TokenCase(question).verdict
        }
    } catch {
        answer = ["error": .string("\(error)")]
    }
    print(answer.text)
}
