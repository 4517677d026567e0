import Authority
import CommandLineOptions

extension AuthorityError: ReportableError {}
