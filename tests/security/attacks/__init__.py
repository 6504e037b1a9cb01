"""Attacks on a running site: `make attack`. Each tries what a stranger, a guest or an insider should not get.

target    the site that is attacked: a process of its own, or one that runs already
caller    somebody who calls it: an address, a connection, cookies
table     a table that plays meanwhile, and how long its taps take
findings  the list of all attacks, in order, and what each one found
sheets    long logs and odd ones
cost      1 to 5: what one request may cost
keys      6, 8, 9, 10, 13: links, cookies and codes of pads
accounts  7 and the names of 11: passwords, second steps, lookalikes
phones    10: what a phone keeps
faults    the spreadsheets of 11, and 12: what must not fail or use up a place
archives  the files of 4: backups and dumps that grow when they are opened
"""
