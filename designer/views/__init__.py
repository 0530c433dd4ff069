"""The pages: one module for each thing that is shown or edited."""
