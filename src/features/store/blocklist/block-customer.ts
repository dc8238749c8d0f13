import { inTransaction, type Tx } from '../../../db/database.ts'
import { requireRecord } from '../../../kernel/errors.ts'
import { canonicalRange } from '../../../kernel/net.ts'
import type { StoreContext } from '../../../store-context.ts'
import { flagBuyer } from '../affiliates/index.ts'
import {
  type Customer,
  checkNotErased,
  lockCustomer,
  selectCustomer,
  updateBlocked,
  writeCustomer,
} from '../customers/index.ts'
import * as q from './queries.ts'
import type { CustomerBlock, CustomerUnblock } from './schema.ts'
import { blockedEmail } from './values.rules.ts'

/** The number of latest orders whose IP addresses are blocked. */
const ORDERS_MAX = 1_000

/** Adds a customer's email to the blocklist, and with `block_ips` the IP addresses of their orders. */
export function blockCustomer(
  context: StoreContext,
  id: number,
  { note, block_ips }: CustomerBlock,
): Promise<Customer> {
  return changeBlock(context, id, note, async (tx, customer) => {
    const isAddressChanged = await blockAddress(tx, context, customer, note)
    if (!block_ips) return isAddressChanged
    const ips = await q.selectOrderIps(tx, context.store.id, id, ORDERS_MAX)
    const values = [...new Set(ips.flatMap((ip) => canonicalRange(ip) ?? []))]
    const entries = { type: 'ip' as const, values, reason: note, customerId: id, now: context.now }
    const newEntries = await q.insertEntries(tx, context.store.id, entries)
    return isAddressChanged || newEntries.length > 0
  })
}

/**
 * Removes a customer's email from the blocklist. The IP addresses that the block added are removed too,
 * unless `block_ips` keeps them blocked.
 */
export function unblockCustomer(
  context: StoreContext,
  id: number,
  { note, block_ips }: CustomerUnblock,
): Promise<Customer> {
  return changeBlock(context, id, note, (tx, customer) =>
    removeBlocks(
      tx,
      context,
      { id: customer.id, emails: [customer.email] },
      { keepIps: block_ips },
    ),
  )
}

/** Runs a change of a customer's block, which returns true if it changed the blocklist. */
async function changeBlock(
  context: StoreContext,
  id: number,
  note: string | null,
  change: (tx: Tx, customer: Customer) => Promise<boolean>,
): Promise<Customer> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const before = await lockCustomer(tx, context, id)
    checkNotErased(before)
    const isChanged = await change(tx, before)
    if (note !== null) await writeCustomer(tx, store.id, id, { note, now })
    const after = requireRecord(await selectCustomer(tx, store, id), 'Customer')
    context.audit.reportChange({ blocked: before.blocked }, { blocked: after.blocked })
    if (!isChanged && after.blocked === before.blocked && after.note === before.note)
      context.audit.skipEvent()
    return after
  })
}

type CustomerEmail = Pick<Customer, 'id' | 'email'>

/**
 * Adds the email address of a customer to the blocklist. An existing entry gets the new reason, if any.
 * Returns false if the blocklist did not change.
 */
export async function blockAddress(
  tx: Tx,
  { store, now }: StoreContext,
  { id, email }: CustomerEmail,
  reason: string | null,
): Promise<boolean> {
  const value = blockedEmail(email)
  const entry = { type: 'email' as const, values: [value], reason, customerId: id, now }
  const [newEntry] = await q.insertEntries(tx, store.id, entry)
  if (newEntry) {
    await updateBlocked(tx, store.id, email, { blocked_at: now, now })
    await flagBuyer(tx, store.id, email)
    return true
  }
  return reason !== null && (await q.updateReason(tx, store.id, value, { reason, now }))
}

/**
 * Deletes the entries of the email addresses of a customer, and the IP entries that a block of the customer
 * added. Returns false if there were none.
 */
export async function removeBlocks(
  tx: Tx,
  { store, now }: StoreContext,
  { id, emails }: { id: number; emails: readonly string[] },
  { keepIps }: { keepIps: boolean },
): Promise<boolean> {
  const values = [...new Set(emails.map(blockedEmail))]
  const isDeleted = await q.deleteEntriesOf(tx, store.id, {
    emails: values,
    customerId: id,
    keepIps,
  })
  for (const value of values) await updateBlocked(tx, store.id, value, { blocked_at: null, now })
  return isDeleted
}
