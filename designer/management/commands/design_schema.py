"""The JSON Schema of the design document, or of the plan document."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from designer.core.plan.schemas import design_schema, plan_schema, text_of


class Command(BaseCommand):
    help = "Print the JSON Schema of the design document, or of the plan document with --plan."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--plan", action="store_true", help="print the schema of the plan document"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        schema = plan_schema() if options["plan"] else design_schema()
        self.stdout.write(text_of(schema), ending="")
