#!/usr/bin/env python
"""Keywright's command line: Django's own commands and plan, prove, export, lint_design, gallery."""

import os
import sys

from django.core.management import execute_from_command_line

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "designer.settings")
    execute_from_command_line(sys.argv)
