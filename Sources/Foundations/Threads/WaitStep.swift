/// What a waiting thread finds when it looks at the shared value.
public enum WaitStep<Found> {
    /// There is something to do.
    case proceed(Found)
    /// Nothing yet. Look again when woken, or at that monotonic time in milliseconds.
    case wait(until: Int64?)
}
