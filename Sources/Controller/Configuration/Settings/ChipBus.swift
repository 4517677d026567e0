/// What a PN532 hangs on. On USB it is one on a serial adapter, so `uart`.
public enum ChipBus: String, Sendable, CaseIterable {
    case uart, spi, i2c
}
