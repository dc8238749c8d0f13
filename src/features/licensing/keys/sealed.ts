import type { SealedColumn } from '../../../db/sealed-column.ts'
import type { SealContext } from '../../../kernel/vault.ts'

/** A key is sealed under its own hash, because its row has no id before it is inserted. */
export const licenseKeySealContext = (storeId: number, key_hmac: Buffer): SealContext => ({
  column: 'license_key.key',
  storeId,
  row: key_hmac.toString('base64'),
})

export const licenseKeySealed: readonly SealedColumn[] = [
  {
    table: 'license_key',
    column: 'key_enc',
    key: ['store_id', 'id'],
    contextColumns: ['key_hmac'],
    context: (row) => licenseKeySealContext(row.store_id, row.key_hmac as Buffer),
  },
]
