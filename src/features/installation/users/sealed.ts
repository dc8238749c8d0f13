import type { SealedColumn } from '../../../db/sealed-column.ts'
import type { SealContext } from '../../../kernel/vault.ts'

/** Users belong to no store, so the store id is 0. */
export const totpSealContext = (userId: number): SealContext => ({
  column: 'dashboard_user.totp_secret',
  storeId: 0,
  row: String(userId),
})

export const userSealed: readonly SealedColumn[] = [
  {
    table: 'dashboard_user',
    column: 'totp_secret_enc',
    key: ['id'],
    context: (row) => totpSealContext(row.id as number),
  },
]
