"""Chips of Thumbs Up: what lies on the table, who holds which, and how a payment is made with them.

- `denominations`: the values of the chips, and what everyone began with
- `change`: a sum in chips, a payment with change, a swap with a third player
- `purses`: the chips each player holds, payment after payment
- `stacks`: chips as they are drawn
- `counts`: counted chips compared with the log
"""
