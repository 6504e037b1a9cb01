"""Django's command line for Tallyroom."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.core.management import execute_from_command_line

    from config.environment import SettingError

    try:
        execute_from_command_line(sys.argv)
    except SettingError as fault:
        sys.exit(str(fault))


if __name__ == "__main__":
    main()
