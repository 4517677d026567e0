import CommandLineOptions
import PhoneTool

extension PhoneToolError: ReportableError {}
