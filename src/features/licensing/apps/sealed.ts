import type { SealedColumn } from '../../../db/sealed-column.ts'
import type { SealContext } from '../../../kernel/vault.ts'

export const signingKeySealContext = (storeId: number, kid: string): SealContext => ({
  column: 'client_signing_key.private',
  storeId,
  row: kid,
})

export const appSealed: readonly SealedColumn[] = [
  {
    table: 'client_signing_key',
    column: 'private_enc',
    key: ['store_id', 'id'],
    contextColumns: ['kid'],
    context: (row) => signingKeySealContext(row.store_id, String(row.kid)),
  },
]
