"""Access to a pad: who may open it, and how a phone comes to it.

links        links with tokens, one role each: make, rotate, revoke
permissions  who a request is and what it may do: `PadAccess`, by bearer token or by cookie
cookies      the signed cookie a link is exchanged for; the pads a phone remembers
join_codes   short codes to type instead of a link
handover     a player becomes an owner, when the owner's phone is gone
"""
