import ControlProtocol
import Encoding

/// One line of the control socket, from either side: it is read or refused with a code, and what was
/// read is written and read again as the same.
func fuzz(_ input: [UInt8]) {
    do throws(ControlError) {
        let request = try ControlRequest(parsing: input)
        let again = try? ControlRequest(parsing: request.line)
        precondition(again == request, "a request is written as it was read")
        precondition(!request.line.contains(0x0A), "a message is one line")
    } catch {
        precondition(!error.code.isEmpty && !error.message.isEmpty, "a refusal has a code and a sentence")
        let answer = ControlResponse(id: 0, result: .failure(error))
        precondition((try? ControlResponse(parsing: answer.line)) == answer, "a refusal can be told")
    }
    if let response = try? ControlResponse(parsing: input) {
        precondition((try? ControlResponse(parsing: response.line)) == response, "an answer is written as it was read")
    }
}
