import type { SealedColumn } from '../db/sealed-column.ts'
import type { SealContext } from '../kernel/vault.ts'

/** The seal of a stored answer is bound to the API key of the call and its Idempotency-Key. */
export const answerSealContext = (storeId: number, keyId: number, key: string): SealContext => ({
  column: 'idempotent_answer.body',
  storeId,
  row: `${keyId}|${key}`,
})

export const httpSealed: readonly SealedColumn[] = [
  {
    table: 'idempotent_answer',
    column: 'body_enc',
    key: ['store_id', 'api_key_id', 'key'],
    context: (row) => answerSealContext(row.store_id, row.api_key_id as number, String(row.key)),
  },
]
