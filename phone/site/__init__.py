"""Pages of the site about pads without network: taking the kit along, the check, and how it works."""
