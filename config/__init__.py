"""The configured site: settings, addresses, server. The only place that knows both apps."""
