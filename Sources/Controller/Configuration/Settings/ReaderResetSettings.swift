/// `[reader.reset]`: what there is to bring a reader back that does not answer (O5).
public struct ReaderResetSettings: Hashable, Sendable {
    /// The line that its reset pin is wired to.
    public var line: OutputSettings?
    /// Whether the USB port that it hangs on may be switched off and on.
    public var usb: Bool

    public init(line: OutputSettings? = nil, usb: Bool = false) {
        self.line = line
        self.usb = usb
    }
}
