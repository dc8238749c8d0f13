import type { SealedColumn } from '../../../db/sealed-column.ts'
import type { SealContext } from '../../../kernel/vault.ts'

/** A key is sealed under its own hash, because its row has no id before it is inserted. */
export const stockKeySealContext = (storeId: number, hmac: Buffer): SealContext => ({
  column: 'stock_key.value',
  storeId,
  row: hmac.toString('base64'),
})

export const stockSealed: readonly SealedColumn[] = [
  {
    table: 'stock_key',
    column: 'value_enc',
    key: ['store_id', 'id'],
    contextColumns: ['value_hmac'],
    context: (row) => stockKeySealContext(row.store_id, row.value_hmac as Buffer),
  },
]
