"""What a plan costs: bills from a design, its plan and the table of prices, and what follows from them."""
