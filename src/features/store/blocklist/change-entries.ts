import { inTransaction, type Tx } from '../../../db/database.ts'
import { uniqueViolation } from '../../../db/failure.ts'
import { alreadyTaken, found } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { flagBuyer } from '../affiliates/index.ts'
import { updateBlocked } from '../customers/index.ts'
import * as q from './queries.ts'
import type { BlocklistEntry, BlocklistEntryPatch, NewBlocklistEntry } from './schema.ts'
import { isOneCustomer, readValue } from './values.rules.ts'

const valueTaken = (value: string) =>
  alreadyTaken('value', `${value} is on the blocklist already. Change that entry instead.`)

export function createEntry(
  context: StoreContext,
  { type, value: sent, reason }: NewBlocklistEntry,
): Promise<BlocklistEntry> {
  const { store, now } = context
  const value = readValue(type, sent)
  return inTransaction(context.db, async (tx) => {
    const [entry] = await q.insertEntries(tx, store.id, { type, values: [value], reason, now })
    if (!entry) throw valueTaken(value)
    await mark(tx, context, entry, now)
    return entry
  })
}

/** Changes an entry. Its hits stay. */
export async function updateEntry(
  context: StoreContext,
  id: number,
  { value: sent, reason }: BlocklistEntryPatch,
): Promise<BlocklistEntry> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const before = found(await q.lockEntry(tx, store.id, id), 'Blocklist entry')
    const value = sent === undefined ? before.value : readValue(before.type, sent)
    const patch = { value, ...(reason !== undefined && { reason }) }
    context.audit.changed(before, patch)
    await q.updateEntry(tx, store.id, id, { ...patch, now }).catch((error) => {
      throw uniqueViolation(error)?.index === 'blocklist_value_taken' ? valueTaken(value) : error
    })
    if (value !== before.value) {
      await mark(tx, context, before, null)
      await mark(tx, context, { ...before, value }, now)
    }
    return found(await q.selectEntry(tx, store.id, id), 'Blocklist entry')
  })
}

export function deleteEntry(
  context: StoreContext,
  id: number,
): Promise<{ deleted: true; id: number }> {
  return inTransaction(context.db, async (tx) => {
    const entry = found(await q.deleteEntry(tx, context.store.id, id), 'Blocklist entry')
    await mark(tx, context, entry, null)
    return { deleted: true, id }
  })
}

/** A customer is blocked exactly while their address is on the list. */
async function mark(
  tx: Tx,
  { store, now }: StoreContext,
  { type, value }: Pick<BlocklistEntry, 'type' | 'value'>,
  blocked_at: string | null,
): Promise<void> {
  if (!isOneCustomer(type, value)) return
  await updateBlocked(tx, store.id, value, { blocked_at, now })
  if (blocked_at !== null) await flagBuyer(tx, store.id, value)
}
