import type { SealedColumn } from '../../../db/sealed-column.ts'
import type { SealContext } from '../../../kernel/vault.ts'

/** All copies of a message are sealed under its id, so that one statement can address many. */
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
    also: ['message'],
    context: (row) => mailSealContext(row.store_id, String(row.message)),
  },
]
