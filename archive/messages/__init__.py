"""Messages of readers: what somebody without an account tells the curators about a place of a book.

places        what a message is about, and the addresses that belong to it
forms         the form that is filled in
inbox         sending, answering, deleting; names and addresses are deleted some time after the answer
limits        how many may come from one address, and how long they are
photographs   photographs, opened in the sandbox
checksums     words and photographs are as they came
"""
