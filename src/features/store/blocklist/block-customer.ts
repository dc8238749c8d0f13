import { inTransaction, type Tx } from '../../../db/database.ts'
import { found } from '../../../kernel/errors.ts'
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

/** Past orders whose addresses are blocked, the latest ones. */
const ORDERS_MAX = 1_000

/** Puts a customer's address on the blocklist, and with `block_ips` those that they ordered from. */
export function blockCustomer(
  context: StoreContext,
  id: number,
  { note, block_ips }: CustomerBlock,
): Promise<Customer> {
  return changeBlock(context, id, note, async (tx, customer) => {
    await blockAddress(tx, context, customer, note)
    if (!block_ips) return
    const ips = await q.selectOrderIps(tx, context.store.id, id, ORDERS_MAX)
    const values = [...new Set(ips.flatMap((ip) => canonicalRange(ip) ?? []))]
    const entries = { type: 'ip' as const, values, reason: note, customerId: id, now: context.now }
    await q.insertEntries(tx, context.store.id, entries)
  })
}

/** Takes a customer's address off the blocklist, and the IP addresses that the block added. */
export function unblockCustomer(
  context: StoreContext,
  id: number,
  { note, block_ips }: CustomerUnblock,
): Promise<Customer> {
  return changeBlock(context, id, note, (tx, customer) =>
    removeBlock(tx, context, customer, { keepIps: block_ips }),
  )
}

async function changeBlock(
  context: StoreContext,
  id: number,
  note: string | null,
  change: (tx: Tx, customer: Customer) => Promise<void>,
): Promise<Customer> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const before = await lockCustomer(tx, context, id)
    checkNotErased(before)
    await change(tx, before)
    if (note !== null) await writeCustomer(tx, store.id, id, { note, now })
    const after = found(await selectCustomer(tx, store, id), 'Customer')
    context.audit.changed({ blocked: before.blocked }, { blocked: after.blocked })
    return after
  })
}

type Blocked = Pick<Customer, 'id' | 'email'>

/** Blocks the e-mail address of a customer. An existing entry stays, with the new reason if any. */
export async function blockAddress(
  tx: Tx,
  { store, now }: StoreContext,
  { id, email }: Blocked,
  reason: string | null,
): Promise<void> {
  const entry = { type: 'email' as const, values: [email], reason, customerId: id, now }
  const [made] = await q.insertEntries(tx, store.id, entry)
  if (made) {
    await updateBlocked(tx, store.id, email, { blocked_at: now, now })
    await flagBuyer(tx, store.id, email)
  } else if (reason !== null) await q.updateReason(tx, store.id, email, { reason, now })
}

export async function removeBlock(
  tx: Tx,
  { store, now }: StoreContext,
  { id, email }: Blocked,
  { keepIps }: { keepIps: boolean },
): Promise<void> {
  await q.deleteEntriesOf(tx, store.id, { email, customerId: id, keepIps })
  await updateBlocked(tx, store.id, email, { blocked_at: null, now })
}
