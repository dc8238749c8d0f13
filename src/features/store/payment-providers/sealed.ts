import type { SealedColumn } from '../../../db/sealed-column.ts'
import type { SealContext } from '../../../kernel/vault.ts'

export const credentialsSealContext = (storeId: number, provider: string): SealContext => ({
  column: 'payment_provider.credentials',
  storeId,
  row: provider,
})

export const providerSealed: readonly SealedColumn[] = [
  {
    table: 'payment_provider',
    column: 'credentials_enc',
    key: ['store_id', 'provider'],
    context: (row) => credentialsSealContext(row.store_id, String(row.provider)),
  },
]
