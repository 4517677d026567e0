extension Schema {
    static let sync = SettingTable("sync", .single, "Where the gate fetches its site data; needs `trust.root`. Without `url` nothing is fetched.", settings: [
        Setting("url", .webAddress(maximum: 2048), .optional,
                "Address of the site's repository: `metadata/` and `targets/` lie below it."),
        Setting("targets-url", .webAddress(maximum: 2048), .optional,
                "Where the targets lie, if not in `targets/` below `url`."),
        Setting("interval-minutes", .integer(1...1440), .standard(.integer(15)),
                "How often the gate looks for something new, give or take a tenth."),
        Setting("start-spread-seconds", .integer(0...3600), .standard(.integer(30)),
                "A gate with site data looks for something new within so many seconds after its start, each gate at its own time: many start together after a power cut."),
        Setting("minimum-rate", .integer(1...1_000_000_000), .standard(.integer(1024)),
                "Bytes a second: a server that sends fewer, over half a minute, is given up until the next time."),
        Setting("socket", .path(maximum: 100), .standard(.text("/run/tapstile-net/fetch.sock")),
                "The socket by which `tapstile-net` is started, which fetches."),
        Setting("proxy", .webAddress(maximum: 1024), .optional,
                "The HTTP proxy to the network. Nothing is taken from the environment."),
        Setting("no-proxy", .text(maximum: 256), .optional,
                "Names of hosts that are asked without the proxy, with commas between them."),
        Setting("ca-file", .path(maximum: 1024), .optional,
                "Certificates (PEM) of those who may vouch for the server, in the place of the system's. `tapstile-net` must be able to read it."),
        Setting("client-certificate", .path(maximum: 1024), .optional,
                "Certificate (PEM) by which the gate shows the server who it is. `tapstile-net` must be able to read it."),
        Setting("client-key", .path(maximum: 1024), .optional,
                "The key of that certificate (PEM, without a passphrase). `tapstile-net` must be able to read it.")
    ])
}
