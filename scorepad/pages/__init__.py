"""The pages of the pads: what people see. They ask the ledger and the engine, and answer with templates."""
