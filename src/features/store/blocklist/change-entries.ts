import { inTransaction, type Tx } from '../../../db/database.ts'
import { refuseDuplicates } from '../../../db/failure.ts'
import { repeatLocking } from '../../../db/repeat-locking.ts'
import { alreadyTaken, requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { flagBuyer } from '../affiliates/index.ts'
import { lockCustomersByEmail, updateBlocked } from '../customers/index.ts'
import * as q from './queries.ts'
import type { BlocklistEntry, BlocklistEntryPatch, NewBlocklistEntry } from './schema.ts'
import { isOneCustomer, readValue } from './values.rules.ts'

const valueExists = (value: string) =>
  alreadyTaken('value', `${value} is on the blocklist already. Change that entry instead.`)

export function createEntry(
  context: StoreContext,
  { type, value: text, reason }: NewBlocklistEntry,
): Promise<BlocklistEntry> {
  const { store, now } = context
  const value = readValue(type, text)
  return inTransaction(context.db, async (tx) => {
    await lockCustomersOf(tx, context, type, [value])
    const [entry] = await q.insertEntries(tx, store.id, { type, values: [value], reason, now })
    if (!entry) throw valueExists(value)
    await setBlocked(tx, context, entry, now)
    return entry
  })
}

/** Changes an entry. Its count of hits is not reset. */
export async function updateEntry(
  context: StoreContext,
  id: number,
  { value: text, reason }: BlocklistEntryPatch,
): Promise<BlocklistEntry> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const before = await lockEntry(tx, context, id, text)
    const value = text === undefined ? before.value : readValue(before.type, text)
    const patch = { value, ...(reason !== undefined && { reason }) }
    context.audit.reportChange(before, patch)
    const update = () => q.updateEntry(tx, store.id, id, { ...patch, now })
    await refuseDuplicates('blocklist_value_taken', update, () => valueExists(value))
    if (value !== before.value) {
      await setBlocked(tx, context, before, null)
      await setBlocked(tx, context, { ...before, value }, now)
    }
    return requireRecord(await q.selectEntry(tx, store.id, id), 'Blocklist entry')
  })
}

export function deleteEntry(context: StoreContext, id: number) {
  return inTransaction(context.db, async (tx) => {
    const entry = await lockEntry(tx, context, id)
    await q.deleteEntry(tx, context.store.id, id)
    await setBlocked(tx, context, entry, null)
    return { deleted: true as const, id }
  })
}

/**
 * Locks the customers of an entry and of its next value, and then the entry. A block of a customer locks in the same
 * sequence (decision 400).
 */
const lockEntry = (
  tx: Tx,
  context: StoreContext,
  id: number,
  nextText?: string,
): Promise<BlocklistEntry> =>
  repeatLocking(tx, async () => {
    const { store } = context
    const seen = requireRecord(await q.selectEntry(tx, store.id, id), 'Blocklist entry')
    const values = nextText === undefined ? [] : [readValue(seen.type, nextText)]
    await lockCustomersOf(tx, context, seen.type, [seen.value, ...values])
    const result = requireRecord(await q.lockEntry(tx, store.id, id), 'Blocklist entry')
    return { result, isComplete: result.value === seen.value }
  })

const lockCustomersOf = (
  tx: Tx,
  { store }: StoreContext,
  type: BlocklistEntry['type'],
  values: readonly string[],
): Promise<void> =>
  lockCustomersByEmail(
    tx,
    store.id,
    values.filter((value) => isOneCustomer(type, value)),
  )

/**
 * Marks the customer with this address as blocked or not, so that it matches the blocklist. A block also flags the
 * unpaid affiliate conversions of the customer.
 */
async function setBlocked(
  tx: Tx,
  { store, now }: StoreContext,
  { type, value }: Pick<BlocklistEntry, 'type' | 'value'>,
  blocked_at: string | null,
): Promise<void> {
  if (!isOneCustomer(type, value)) return
  await updateBlocked(tx, store.id, value, { blocked_at, now })
  if (blocked_at !== null) await flagBuyer(tx, store.id, value)
}
