"""Words on scans: where each known word stands, what a page without text says, and both after a mend.

No Django here. `aligning.align` finds the words of a known text on an image, `transcribing.read` reads an
image without a text, `following.follow` keeps boxes with their words when the text changes.
"""
