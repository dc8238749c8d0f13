import type { SealedColumn } from '../../../db/sealed-column.ts'
import type { SealContext } from '../../../kernel/vault.ts'

/** The seal of a message is bound to its id, so all recipients share one sealed content. */
export const mailSealContext = (storeId: number, message: string): SealContext => ({
  column: 'mail.content',
  storeId,
  row: message,
})

export const mailSealed: readonly SealedColumn[] = [
  {
    table: 'mail',
    column: 'content_enc',
    key: ['store_id', 'id'],
    contextColumns: ['message'],
    context: (row) => mailSealContext(row.store_id, String(row.message)),
  },
]
