import Encoding

/// Text within a page of HTML.
enum HTMLText {
    /// A text of a stranger as one that is only read: no tag, no attribute's end, nothing that nobody sees, and on its own in the direction of
    /// what is read.
    static func name(_ text: String) -> String { "<bdi>\(escaped(text))</bdi>" }

    /// The same as the value of an attribute, or between tags of our own.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in PrintedText.line(text).unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}

/// A whole page: no scripts, no styles within it, nothing from elsewhere.
struct OperatorPage {
    let root: String
    let title: String
    /// Whoever is signed in; nil: nobody.
    var session: (name: String, formToken: String)?

    func text(_ body: String) -> String {
        """
        <!DOCTYPE html>
        <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
        <title>\(HTMLText.escaped(title))</title><link rel="stylesheet" href="\(HTMLText.escaped(root))style.css"></head>
        <body>\(navigation)<main><h1>\(HTMLText.escaped(title))</h1>
        \(body)</main></body></html>

        """
    }

    private var navigation: String {
        guard let session else { return "" }
        let root = HTMLText.escaped(root)
        return "<nav><a href=\"\(root)\">Invitations</a> <a href=\"\(root)invite\">Invite</a> <a href=\"\(root)log\">Log</a>"
            + "<form method=\"post\" action=\"\(root)sign-out\">\(Self.hidden(session.formToken))<button>Sign out \(HTMLText.name(session.name))</button></form></nav>\n"
    }

    /// What a form carries so that no other page can send one.
    static func hidden(_ formToken: String) -> String { "<input type=\"hidden\" name=\"form-token\" value=\"\(HTMLText.escaped(formToken))\">" }

    static let style = """
        :root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}body{margin:0 auto;max-width:72rem;padding:1rem}
        nav{display:flex;gap:1rem;align-items:center;flex-wrap:wrap}nav form{margin-left:auto}
        table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.4rem .6rem;border-bottom:1px solid #8884;vertical-align:top;overflow-wrap:anywhere}
        td form{display:inline-block;margin:0 .3rem .3rem 0}label{display:block;margin:.8rem 0}input:not([type=checkbox]){display:block;width:100%;max-width:30rem;padding:.4rem;font:inherit;box-sizing:border-box}
        button{font:inherit;padding:.3rem .8rem}details{display:inline-block}.error{border-left:.3rem solid #c00;padding-left:.8rem}
        .link{font-family:monospace;overflow-wrap:anywhere;user-select:all}svg{max-width:100%;height:auto}pre{white-space:pre-wrap}
        """
}
