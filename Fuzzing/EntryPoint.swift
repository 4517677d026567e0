/// What libFuzzer calls for each input: hands the bytes to the target's `fuzz`.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    fuzz(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
