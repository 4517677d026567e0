// TrustSync
