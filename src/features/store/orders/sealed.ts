import type { SealedColumn } from '../../../db/sealed-column.ts'
import type { SealContext } from '../../../kernel/vault.ts'

/** Returns the seal context of a delivery's text: the text opens only with the id of its delivery. */
export const textSealContext = (storeId: number, deliveryId: number): SealContext => ({
  column: 'delivery.text',
  storeId,
  row: String(deliveryId),
})

export const orderSealed: readonly SealedColumn[] = [
  {
    table: 'delivery',
    column: 'text_enc',
    key: ['store_id', 'id'],
    context: (row) => textSealContext(row.store_id, row.id as number),
  },
]
