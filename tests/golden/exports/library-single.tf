# DynamoDB tables of Library, single-table style.
# Members borrow copies of books. Each copy has its own number.
# Made by Keywright (planner 0) from the design sha256:5ae1.

terraform {
  required_version = ">= 1.5"

  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 6.35, < 7"
    }
  }
}

variable "table_prefix" {
  description = "Prefix of each table's name."
  type        = string
  default     = "library-"

  validation {
    condition     = can(regex("^[a-zA-Z0-9_.-]{0,251}$", var.table_prefix))
    error_message = "Letters, digits, underscores, dots and hyphens; at most 251."
  }
}

variable "tags" {
  description = "More tags for each table; they override the others."
  type        = map(string)
  default     = {}
}

variable "deletion_protection" {
  description = "Whether DynamoDB refuses to delete the tables."
  type        = bool
  default     = true
}

# Table library-main.
# Keys:
#   Member: PK = MEMBER#{memberId}, SK = A
#   Loan: PK = MEMBER#{memberId}, SK = LOAN#{pad(8, 0, copy)}#
# Serves:
#   1 Loans of a member
#   3 Lend a copy
resource "aws_dynamodb_table" "main" {
  name                        = "${var.table_prefix}main"
  billing_mode                = "PAY_PER_REQUEST"
  table_class                 = "STANDARD"
  hash_key                    = "PK"
  range_key                   = "SK"
  stream_enabled              = true
  stream_view_type            = "NEW_AND_OLD_IMAGES"
  deletion_protection_enabled = var.deletion_protection

  attribute {
    name = "PK"
    type = "S"
  }

  attribute {
    name = "SK"
    type = "S"
  }

  attribute {
    name = "GSI1PK"
    type = "S"
  }

  attribute {
    name = "GSI1SK"
    type = "S"
  }

  attribute {
    name = "copy"
    type = "N"
  }

  # Index GSI1. Items without its keys are not in it.
  # Keys:
  #   Loan: GSI1PK = BRANCH#{branch}, GSI1SK = DUE#{dueDay}#{memberId}
  # Serves:
  #   2 Loans due at a branch, the first due first
  # Why:
  #   No other key starts with the branch.
  global_secondary_index {
    name               = "GSI1"
    projection_type    = "INCLUDE"
    non_key_attributes = ["title", "dueDay"]

    key_schema {
      attribute_name = "GSI1PK"
      key_type       = "HASH"
    }

    key_schema {
      attribute_name = "GSI1SK"
      key_type       = "RANGE"
    }
  }

  # Index LSI1.
  # Keys:
  #   Loan: PK = MEMBER#{memberId}, copy = {copy}
  local_secondary_index {
    name            = "LSI1"
    range_key       = "copy"
    projection_type = "KEYS_ONLY"
  }

  ttl {
    attribute_name = "expiresAt"
    enabled        = true
  }

  point_in_time_recovery {
    enabled                 = true
    recovery_period_in_days = 35
  }

  server_side_encryption {
    enabled = true
  }

  tags = merge({
    "keywright:design"    = "Library"
    "keywright:style"     = "single"
    "team"                = "Front desk"
    "data-classification" = "personal"
  }, var.tags)

  lifecycle {
    prevent_destroy = true
  }
}

output "table_names" {
  description = "The tables' names."

  value = {
    main = aws_dynamodb_table.main.name
  }
}

output "table_arns" {
  description = "The tables' ARNs."

  value = {
    main = aws_dynamodb_table.main.arn
  }
}

output "stream_arns" {
  description = "The streams' ARNs."

  value = {
    main = aws_dynamodb_table.main.stream_arn
  }
}
