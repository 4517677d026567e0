// Writes docs/worked-exchanges.md. `worked-exchanges page RECORDING` prints the page that belongs to a
// recording; `worked-exchanges record` holds the two exchanges anew and prints the recording.

import Encoding
import Files
import WorkedExchanges

let arguments = CommandLine.arguments.dropFirst()
switch (arguments.first, arguments.dropFirst().first) {
case ("record", nil):
    print(try Recorder.record().json.text)
case ("page", .some(let path)):
    print(try Page.render(Recording(json: SmallFile.read(path, limit: 1 << 20))), terminator: "")
default:
    print("usage: worked-exchanges record | page RECORDING")
}
