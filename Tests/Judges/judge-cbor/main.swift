// Says what the Encoding room makes of CBOR, for comparison with another implementation.
//
// Each line of input is one item in hexadecimal. The answer to it is one line of three columns: under
// the deterministic rules `ok` or the code of the refusal; under the rules for others' data our own
// encoding of it in hexadecimal or the code; what it means (`CBOR.meaning`) or `-`.

import Encoding

func verdict(on bytes: [UInt8]) -> String {
    let strict: String
    do throws(CBORError) {
        _ = try CBOR.decode(bytes)
        strict = "ok"
    } catch {
        strict = error.code
    }
    do throws(CBORError) {
        let item = try CBOR.decode(bytes, rules: .wellFormed)
        return "\(strict) \(Hex.encode(item.encoded)) \(item.meaning)"
    } catch {
        return "\(strict) \(error.code) -"
    }
}

while let line = readLine() {
    do {
        print(verdict(on: try Hex.decode(line)))
    } catch {
        print("not-hexadecimal - -")
    }
}
