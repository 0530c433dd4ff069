"""What Amazon sets: limits of DynamoDB, and its prices by Region."""
