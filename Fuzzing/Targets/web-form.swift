import Encoding
// with: Sources/Office/WebServer/WebRequest.swift
// with: Sources/Office/InvitationServer/Operators/HTMLText.swift

/// What operators' browsers send, and what is shown of it: a form is read in one way, and no text ends a tag or an attribute.
func fuzz(_ input: [UInt8]) {
    _ = WebForm(input)
    let text = String(decoding: input, as: UTF8.self)
    let request = WebRequest(method: .post, path: "/", headers: [("cookie", text), ("content-type", text)])
    _ = request.mediaType
    if let cookie = request.cookie("__Host-tapstile") { precondition(!cookie.contains(";"), "a cookie ends where the next begins") }
    let sent = Array("\(PercentText.encode(text))=\(PercentText.encode(text))&x=1".utf8)
    if text != "x" {
        guard let form = WebForm(sent) else { preconditionFailure("what is encoded is a form") }
        precondition(form[text].map { Array($0.utf8) } == Array(text.utf8) && form["x"] == "1", "a form is read as it was written")
    }
    let shown = HTMLText.escaped(text)
    precondition(!shown.utf8.contains { [0x22, 0x27, 0x3C, 0x3E].contains($0) || $0 < 0x20 }, "no tag, no attribute's end, no control character")
}
