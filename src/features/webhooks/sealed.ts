import type { SealedColumn } from '../../db/sealed-column.ts'
import { payloadSealContext } from '../../events/sealed.ts'
import type { SealContext } from '../../kernel/vault.ts'
import type { StoreContext } from '../../store-context.ts'

export const endpointSecretSealContext = (storeId: number, publicId: string): SealContext => ({
  column: 'webhook_endpoint.secret',
  storeId,
  row: publicId,
})

/** Returns the bytes of a payload. `payload_enc` is text in base64 if the query returns JSON. */
export const openPayload = (
  { store, vault }: Pick<StoreContext, 'store' | 'vault'>,
  tag: number,
  payload_enc: Buffer | string,
): Buffer =>
  vault.open(
    payloadSealContext(store.id, tag),
    typeof payload_enc === 'string' ? Buffer.from(payload_enc, 'base64') : payload_enc,
  )

export const webhookSealed: readonly SealedColumn[] = ['secret_enc', 'prev_secret_enc'].map(
  (column) => ({
    table: 'webhook_endpoint',
    column,
    key: ['store_id', 'id'],
    contextColumns: ['public_id'],
    context: (row) => endpointSecretSealContext(row.store_id, String(row.public_id)),
  }),
)
