"""Rate limits: how often something may be done by one address, name or account.

`limiter` counts and refuses, `work_budget` measures dear work and refuses more, `page_places` lets few pages
be worked on at once, `client_address` finds the address of a request behind proxies, `configured_limits`
reads a limit from settings or environment, `models` holds the counts. The app's label is `turnstile`, as its
table.
"""
