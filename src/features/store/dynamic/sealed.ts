import type { SealedColumn } from '../../../db/sealed-column.ts'
import type { SealContext } from '../../../kernel/vault.ts'

export const addressSecretSealContext = (storeId: number, variantId: number): SealContext => ({
  column: 'variant_dynamic.secret',
  storeId,
  row: String(variantId),
})

export const dynamicSealed: readonly SealedColumn[] = [
  {
    table: 'variant_dynamic',
    column: 'secret_enc',
    key: ['store_id', 'variant_id'],
    context: (row) => addressSecretSealContext(row.store_id, row.variant_id as number),
  },
]
