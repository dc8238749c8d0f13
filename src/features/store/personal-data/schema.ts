import { z } from 'zod'
import { DateTime, PageQuery, Pagination, unlessMissing } from '../../../kernel/shapes.ts'
import { Partner } from '../affiliates/index.ts'
import { BlocklistEntry } from '../blocklist/index.ts'
import { BalanceEntry, Customer } from '../customers/index.ts'
import { Order } from '../orders/index.ts'
import { PaymentMethod } from '../payment-methods/index.ts'

export const ErasedCustomer = z.object({
  id: z.int().describe('The id of the customer.'),
  erased_at: DateTime.describe("The time when the customer's personal data was erased."),
  cancelled_subscriptions: z
    .int()
    .describe('The number of subscriptions that this call cancelled; 0 for a repeated call.'),
})
export type ErasedCustomer = z.output<typeof ErasedCustomer>

export const CustomerMerge = z
  .strictObject({
    into: z
      .int({ error: unlessMissing('Use the id of a customer.') })
      .positive('Use the id of a customer.')
      .describe('The id of the customer into which the other one is merged.'),
  })
  .meta({ id: 'CustomerMerge' })

const MergedCustomer = z.object({
  id: z.int().describe('The id of the merged customer.'),
  email: z
    .string()
    .nullable()
    .describe('The email address of the merged customer; null if it was erased.'),
  name: z
    .string()
    .nullable()
    .describe('The name of the merged customer; null if it had none or was erased.'),
  merged_at: DateTime.describe('The time when the customer was merged into this one.'),
})

const ExportedLicense = z.object({
  id: z
    .int()
    .describe('The id of the license key. The key itself is in the delivery of its order.'),
  order_id: z
    .string()
    .nullable()
    .describe('The id of the order with which the license was bought; null if there is none.'),
  customer_email: z
    .string()
    .nullable()
    .describe('The email address to which the license was issued.'),
  note: z.string().nullable().describe('The note of the seller.'),
  metadata: z.record(z.string(), z.string()).describe('Key-value pairs of the seller.'),
  devices: z
    .array(
      z.object({
        name: z.string().nullable().describe('The name that the program reported.'),
        platform: z.string().nullable().describe('The operating system.'),
        first_seen_at: DateTime.describe('The time when the device was registered.'),
        last_seen_at: DateTime.describe('The time when the device was last used.'),
      }),
    )
    .describe('The devices on which the license is used.'),
  first_activated_at: DateTime.nullable().describe(
    'The time when the license was first activated.',
  ),
  created_at: DateTime.describe('The time when the license was issued.'),
})
export type ExportedLicense = z.output<typeof ExportedLicense>

const ExportedStockAlert = z.object({
  id: z.int().describe('The id of the stock alert.'),
  product_id: z.string().describe('The product hash.'),
  variant_id: z
    .int()
    .nullable()
    .describe('The id of the variant; null for all variants of the product.'),
  email: z.string().describe('The email address to notify.'),
  status: z.string().describe('The status: `pending`, `notified` or `unsubscribed`.'),
  notified_at: DateTime.nullable().describe(
    'The time when the notification was created; null if it was not.',
  ),
  created_at: DateTime.describe('The time when the stock alert was requested.'),
})
export type ExportedStockAlert = z.output<typeof ExportedStockAlert>

const ExportedMessage = z.object({
  id: z.int().describe('The id of the message.'),
  recipient: z.string().describe('The email address of the recipient.'),
  status: z.string().describe('The status: `queued`, `sent`, `failed` or `kept`.'),
  created_at: DateTime.describe('The time when the message was created.'),
})
export type ExportedMessage = z.output<typeof ExportedMessage>

export const ExportQuery = z.object({ ...PageQuery })

export const CustomerExport = z.object({
  customer: Customer,
  merged_customers: z.array(MergedCustomer).describe('Customers that were merged into this one.'),
  orders: z.array(Order).describe('A page of complete orders, the newest first.'),
  balance_entries: z
    .array(BalanceEntry)
    .describe('A page of balance entries, the newest first. The page is the same as for orders.'),
  blocklist_entries: z.array(BlocklistEntry).describe('The blocklist entries of this customer.'),
  affiliate_partners: z
    .array(Partner)
    .describe('The affiliate partners with an email address of the customer.'),
  licenses: z.array(ExportedLicense).describe('The latest 1,000 licenses.'),
  payment_methods: z
    .array(PaymentMethod)
    .describe('The saved payment methods, the newest first; at most 100.'),
  stock_alerts: z.array(ExportedStockAlert).describe('The latest 1,000 stock alerts.'),
  messages: z.array(ExportedMessage).describe('The latest 1,000 messages that are still stored.'),
  page: Pagination,
})
export type CustomerExport = z.output<typeof CustomerExport>
