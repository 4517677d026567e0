import Authority
import CLinux
import Glibc

extension OfficeClock {
    /// This machine's.
    /// - Parameter isChecked: somebody has compared it with a watch.
    static func machine(isChecked: Bool) -> OfficeClock {
        var state = clinux_clock_state()
        let isSynchronised = clinux_clock_state_read(&state) == 0 && state.synchronised == 1
        let isVouchedFor = getenv(variable).map { String(cString: $0) } == "installer"
        return OfficeClock(now: clinux_realtime_nanoseconds() / 1_000_000_000, voucher: isSynchronised ? .kernel : isVouchedFor ? .installer : .nobody,
                           isChecked: isChecked)
    }
}
