import type { SealedColumn } from '../db/sealed-column.ts'
import type { SealContext } from '../kernel/vault.ts'

/** The seal of a payload is bound to the event's tag, which is chosen before the row is written. */
export const payloadSealContext = (storeId: number, tag: number): SealContext => ({
  column: 'event.payload',
  storeId,
  row: String(tag),
})

export const eventSealed: readonly SealedColumn[] = [
  {
    table: 'event',
    column: 'payload_enc',
    key: ['store_id', 'no'],
    contextColumns: ['tag'],
    context: (row) => payloadSealContext(row.store_id, row.tag as number),
  },
]
