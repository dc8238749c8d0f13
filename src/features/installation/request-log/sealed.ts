import type { SealedColumn } from '../../../db/sealed-column.ts'
import type { SealContext } from '../../../kernel/vault.ts'

export const callSealContext = (storeId: number, requestId: string): SealContext => ({
  column: 'api_call.details',
  storeId,
  row: requestId,
})

export const requestLogSealed: readonly SealedColumn[] = [
  {
    table: 'api_call',
    column: 'details_enc',
    key: ['store_id', 'request_id'],
    context: (row) => callSealContext(row.store_id, String(row.request_id)),
  },
]
