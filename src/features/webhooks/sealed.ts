import type { SealedColumn } from '../../db/sealed-column.ts'
import type { SealContext } from '../../kernel/vault.ts'

export const endpointSecretSealContext = (storeId: number, publicId: string): SealContext => ({
  column: 'webhook_endpoint.secret',
  storeId,
  row: publicId,
})

export const webhookSealed: readonly SealedColumn[] = [
  {
    table: 'webhook_endpoint',
    column: 'secret_enc',
    key: ['store_id', 'id'],
    also: ['public_id'],
    context: (row) => endpointSecretSealContext(row.store_id, String(row.public_id)),
  },
  {
    table: 'webhook_endpoint',
    column: 'prev_secret_enc',
    key: ['store_id', 'id'],
    also: ['public_id'],
    context: (row) => endpointSecretSealContext(row.store_id, String(row.public_id)),
  },
]
