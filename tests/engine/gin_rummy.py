"""The pack of 52 with court cards that count ten: `SA`, `CT`, `HK`. Melds are tried with it, and compared."""

from engine.meld_tables import Pack

GIN_RUMMY = Pack("SCDH", "A23456789TJQK", [*range(1, 11), 10, 10, 10])
