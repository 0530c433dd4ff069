"""Forms: a POST becomes parts of a design, and a part of a design becomes fields."""
