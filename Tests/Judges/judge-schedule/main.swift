// Says what the SiteRules room makes of zones and schedules, for comparison with another implementation.
//
// Each line of input is a question and gets one line: `zone HEX` takes a TZif file and `rules HEX` a CBOR sequence of records
// (`ok` or why not); all others are a word and what it needs, and are answered with one number for each time.

import Encoding
import SiteRules

var bench = ScheduleBench()
while let line = readLine() {
    print(bench.answer(line.split(separator: " ").map(String.init)))
}
