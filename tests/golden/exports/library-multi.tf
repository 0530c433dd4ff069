# DynamoDB tables of Library, multi-table style.
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
    condition     = can(regex("^[a-zA-Z0-9_.-]{0,248}$", var.table_prefix))
    error_message = "Letters, digits, underscores, dots and hyphens; at most 248."
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

# Table library-Members.
# Keys:
#   Member: memberId = {memberId}
resource "aws_dynamodb_table" "members" {
  name                        = "${var.table_prefix}Members"
  billing_mode                = "PAY_PER_REQUEST"
  table_class                 = "STANDARD"
  hash_key                    = "memberId"
  deletion_protection_enabled = var.deletion_protection

  attribute {
    name = "memberId"
    type = "S"
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
    "keywright:style"     = "multi"
    "team"                = "Front desk"
    "data-classification" = "personal"
  }, var.tags)

  lifecycle {
    prevent_destroy = true
  }
}

# Table library-Loans.
# Keys:
#   Loan: memberId = {memberId}, copy = {copy}
# Serves:
#   1 Loans of a member
#   3 Lend a copy
resource "aws_dynamodb_table" "loans" {
  name                        = "${var.table_prefix}Loans"
  billing_mode                = "PAY_PER_REQUEST"
  table_class                 = "STANDARD"
  hash_key                    = "memberId"
  range_key                   = "copy"
  stream_enabled              = true
  stream_view_type            = "KEYS_ONLY"
  deletion_protection_enabled = var.deletion_protection

  attribute {
    name = "memberId"
    type = "S"
  }

  attribute {
    name = "copy"
    type = "N"
  }

  attribute {
    name = "branch"
    type = "S"
  }

  attribute {
    name = "dueDay"
    type = "S"
  }

  # Index LoansByBranch.
  # Keys:
  #   Loan: branch = {branch}, dueDay = {dueDay}, copy = {copy}
  # Serves:
  #   2 Loans due at a branch, the first due first
  global_secondary_index {
    name            = "LoansByBranch"
    projection_type = "ALL"

    key_schema {
      attribute_name = "branch"
      key_type       = "HASH"
    }

    key_schema {
      attribute_name = "dueDay"
      key_type       = "RANGE"
    }

    key_schema {
      attribute_name = "copy"
      key_type       = "RANGE"
    }
  }

  ttl {
    attribute_name = "expiresAt"
    enabled        = true
  }

  point_in_time_recovery {
    enabled                 = true
    recovery_period_in_days = 7
  }

  server_side_encryption {
    enabled = false
  }

  tags = merge({
    "keywright:design" = "Library"
    "keywright:style"  = "multi"
    "team"             = "Front desk"
  }, var.tags)

  lifecycle {
    prevent_destroy = true
  }
}

# Table library-Scans.
# Keys:
#   Scan: digest = {digest}
resource "aws_dynamodb_table" "scans" {
  name                        = "${var.table_prefix}Scans"
  billing_mode                = "PAY_PER_REQUEST"
  table_class                 = "STANDARD_INFREQUENT_ACCESS"
  hash_key                    = "digest"
  deletion_protection_enabled = var.deletion_protection

  attribute {
    name = "digest"
    type = "B"
  }

  point_in_time_recovery {
    enabled = false
  }

  server_side_encryption {
    enabled = false
  }

  tags = merge({
    "keywright:design" = "Library"
    "keywright:style"  = "multi"
  }, var.tags)

  lifecycle {
    prevent_destroy = true
  }
}

output "table_names" {
  description = "The tables' names."

  value = {
    members = aws_dynamodb_table.members.name
    loans   = aws_dynamodb_table.loans.name
    scans   = aws_dynamodb_table.scans.name
  }
}

output "table_arns" {
  description = "The tables' ARNs."

  value = {
    members = aws_dynamodb_table.members.arn
    loans   = aws_dynamodb_table.loans.arn
    scans   = aws_dynamodb_table.scans.arn
  }
}

output "stream_arns" {
  description = "The streams' ARNs."

  value = {
    loans = aws_dynamodb_table.loans.stream_arn
  }
}
