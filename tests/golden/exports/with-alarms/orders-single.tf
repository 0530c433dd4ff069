# DynamoDB tables of Orders, single-table style.
# Made by Keywright (planner test) from the design
# sha256:0000000000000000000000000000000000000000000000000000000000000000.

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
  default     = ""

  validation {
    condition     = can(regex("^[a-zA-Z0-9_.-]{0,249}$", var.table_prefix))
    error_message = "Letters, digits, underscores, dots and hyphens; at most 249."
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

variable "alarm_actions" {
  description = "ARNs that alarms notify, such as SNS topics."
  type        = list(string)
  default     = []
}

# Table orders.
# Keys:
#   User: PK = USER#{userId}, SK = PROFILE
#   UserEmail: PK = EMAIL#{email}, SK = GUARD
#   Order: PK = USER#{userId}, SK = ORDER#{placedAt}#{orderId}
# Serves:
#   1 A user's orders, newest first
#   3 A user by e-mail address
resource "aws_dynamodb_table" "orders" {
  name                        = "${var.table_prefix}orders"
  billing_mode                = "PAY_PER_REQUEST"
  table_class                 = "STANDARD"
  hash_key                    = "PK"
  range_key                   = "SK"
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

  # Index GSI1.
  # Keys:
  #   Order: GSI1PK = STATUS#{only(status, "PENDING", "PAID")}, GSI1SK = {placedAt}
  # Serves:
  #   2 Orders in a status
  # Why:
  #   Nothing else answers it with the status alone.
  global_secondary_index {
    name               = "GSI1"
    projection_type    = "INCLUDE"
    non_key_attributes = ["orderId", "placedAt"]

    key_schema {
      attribute_name = "GSI1PK"
      key_type       = "HASH"
    }

    key_schema {
      attribute_name = "GSI1SK"
      key_type       = "RANGE"
    }
  }

  point_in_time_recovery {
    enabled                 = true
    recovery_period_in_days = 35
  }

  server_side_encryption {
    enabled = false
  }

  tags = merge({
    "keywright:design" = "Orders"
    "keywright:style"  = "single"
  }, var.tags)

  lifecycle {
    prevent_destroy = true
  }
}

resource "aws_cloudwatch_metric_alarm" "orders_throttle_events" {
  alarm_name          = "${var.table_prefix}orders ThrottleEvents"
  alarm_description   = "At the stated peaks no key reaches its limit, so no request should be refused. The heat page shows which key is hottest. CloudWatch Contributor Insights names the throttled key values. If an index is throttled, writes to its table are held back too."
  namespace           = "AWS/DynamoDB"
  metric_name         = "ReadThrottleEvents"
  statistic           = "Sum"
  period              = 60
  evaluation_periods  = 5
  threshold           = 0
  comparison_operator = "GreaterThanThreshold"
  treat_missing_data  = "notBreaching"
  alarm_actions       = var.alarm_actions
  tags                = var.tags

  dimensions = {
    TableName = aws_dynamodb_table.orders.name
  }
}

resource "aws_cloudwatch_metric_alarm" "orders_consumed_read_capacity_units" {
  alarm_name          = "${var.table_prefix}orders ConsumedReadCapacityUnits"
  alarm_description   = "All patterns at their peaks at once: 200 units a second. Find the call that grew, state its new rate in the design, and check the bill and the heat again, which assume a lower rate. On demand, it costs more. If capacity is provisioned, raise it before requests are refused."
  namespace           = "AWS/DynamoDB"
  metric_name         = "ConsumedReadCapacityUnits"
  statistic           = "Sum"
  period              = 60
  evaluation_periods  = 5
  threshold           = 12000
  comparison_operator = "GreaterThanThreshold"
  treat_missing_data  = "notBreaching"
  alarm_actions       = var.alarm_actions
  tags                = var.tags

  dimensions = {
    TableName = aws_dynamodb_table.orders.name
  }
}

resource "aws_cloudwatch_metric_alarm" "orders_system_errors" {
  alarm_name          = "${var.table_prefix}orders SystemErrors"
  alarm_description   = "One in 10,000 of 24,000 requests a minute at peak. Look at the AWS Health Dashboard, and let the application retry with exponential backoff. The service level allows one failed request in 10,000."
  namespace           = "AWS/DynamoDB"
  metric_name         = "SystemErrors"
  statistic           = "Sum"
  period              = 60
  evaluation_periods  = 15
  threshold           = 3
  comparison_operator = "GreaterThanThreshold"
  treat_missing_data  = "notBreaching"
  alarm_actions       = var.alarm_actions
  tags                = var.tags

  dimensions = {
    TableName = aws_dynamodb_table.orders.name
    Operation = "Query"
  }
}

output "table_names" {
  description = "The tables' names."

  value = {
    orders = aws_dynamodb_table.orders.name
  }
}

output "table_arns" {
  description = "The tables' ARNs."

  value = {
    orders = aws_dynamodb_table.orders.arn
  }
}
