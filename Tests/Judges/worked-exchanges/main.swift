// Writes docs/worked-exchanges.md. `worked-exchanges page RECORDING OTHERS` prints the page that belongs to recordings;
// `worked-exchanges record` holds the two exchanges in suite 2 anew and prints the recording, `record RECORDING` holds those of
// that site in the other suites.

import Encoding
import Files
import WorkedExchanges

func recording(_ path: String) throws -> Recording { try Recording(json: SmallFile.read(path, limit: 1 << 20)) }

let arguments = Array(CommandLine.arguments.dropFirst())
switch (arguments.first, arguments.count) {
case ("record", 1):
    print(try Recorder.record().json.text)
case ("record", 2):
    print(try Recorder.record(suitesOf: recording(arguments[1])).json.text)
case ("page", 3):
    print(try Page.render(recording(arguments[1]), others: recording(arguments[2])), terminator: "")
default:
    print("usage: worked-exchanges record [RECORDING] | page RECORDING OTHERS")
}
