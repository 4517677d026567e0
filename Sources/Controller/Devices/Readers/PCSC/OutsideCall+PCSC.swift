import Threads

extension OutsideCall {
    /// A call to pcscd and through it to a driver: it cannot be cancelled and may never return. The supervisor
    /// shows that (`reader-stuck`, `reader-service-silent`); a restart of the gate would fix neither, and would
    /// take its other lanes out of service.
    static let pcsc = OutsideCall("pcscd", .watchedElsewhere)
}
