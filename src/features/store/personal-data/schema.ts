import { z } from 'zod'
import { DateTime, PageQuery, Pagination } from '../../../kernel/shapes.ts'
import { Partner } from '../affiliates/index.ts'
import { BlocklistEntry } from '../blocklist/index.ts'
import { BalanceEntry, Customer } from '../customers/index.ts'
import { Order } from '../orders/index.ts'

export const ErasedCustomer = z.object({
  id: z.int().describe('Customer id.'),
  erased_at: DateTime.describe('When the person was erased.'),
})

export const CustomerMerge = z
  .strictObject({
    into: z
      .int('Use the id of a customer.')
      .positive('Use the id of a customer.')
      .describe('The customer that stays.'),
  })
  .meta({ id: 'CustomerMerge' })

const FormerCustomer = z.object({
  id: z.int().describe('Former customer id.'),
  email: z.string().nullable().describe('Former address.'),
  name: z.string().nullable().describe('Former name.'),
  merged_at: DateTime.describe('When it was merged into this customer.'),
})
export type FormerCustomer = z.output<typeof FormerCustomer>

const ExportedLicense = z.object({
  id: z.int().describe('License key id. The key itself is in the delivery of its order.'),
  order_id: z.string().nullable().describe('The order that it was bought with.'),
  customer_email: z.string().nullable().describe('The address it was issued to.'),
  note: z.string().nullable().describe("The seller's note."),
  metadata: z.record(z.string(), z.string()).describe('Key-value pairs of the seller.'),
  devices: z
    .array(
      z.object({
        name: z.string().nullable().describe('The name that the program reported.'),
        platform: z.string().nullable().describe('The operating system.'),
        first_seen_at: DateTime.describe('When it was registered.'),
        last_seen_at: DateTime.describe('When it was last used.'),
      }),
    )
    .describe('Devices that use the license.'),
  first_activated_at: DateTime.nullable().describe('When it was first activated.'),
  created_at: DateTime.describe('When it was issued.'),
})
export type ExportedLicense = z.output<typeof ExportedLicense>

const ExportedStockAlert = z.object({
  id: z.int().describe('Stock alert id.'),
  product_id: z.string().describe('The product.'),
  variant_id: z.int().nullable().describe('The variant, if only one.'),
  email: z.string().describe('The address to notify.'),
  status: z.string().describe('`pending`, `notified` or `unsubscribed`.'),
  notified_at: DateTime.nullable().describe('When the mail was written.'),
  created_at: DateTime.describe('When it was requested.'),
})
export type ExportedStockAlert = z.output<typeof ExportedStockAlert>

const ExportedMessage = z.object({
  id: z.int().describe('Message id.'),
  recipient: z.string().describe('The address it goes to.'),
  status: z.string().describe('`queued`, `sent`, `failed` or `kept`.'),
  created_at: DateTime.describe('When it was written.'),
})
export type ExportedMessage = z.output<typeof ExportedMessage>

export const ExportQuery = z.object({ ...PageQuery })

export const CustomerExport = z.object({
  customer: Customer,
  merged_customers: z.array(FormerCustomer).describe('Customers that were merged into this one.'),
  orders: z.array(Order).describe('A page of orders, whole, the newest first.'),
  balance_entries: z
    .array(BalanceEntry)
    .describe('The same page of balance entries, the newest first.'),
  blocklist_entries: z.array(BlocklistEntry).describe('Blocks of this customer.'),
  affiliate_partners: z
    .array(Partner)
    .describe('The affiliate partners with an address of theirs.'),
  licenses: z.array(ExportedLicense).describe('The latest 1,000 licenses.'),
  stock_alerts: z.array(ExportedStockAlert).describe('The latest 1,000 stock alerts.'),
  messages: z.array(ExportedMessage).describe('The latest 1,000 messages that are still stored.'),
  page: Pagination,
})
export type CustomerExport = z.output<typeof CustomerExport>
