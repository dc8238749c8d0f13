import type { Place } from '../../../kernel/vault.ts'

/** A row that holds a sealed value: what it is found again by, and what its place is made of. */
export type SealedRow = Record<string, unknown> & { sealed: Buffer; store_id: number }

/** A column of sealed values, as data: rotation walks all of them. */
export interface SealedColumn {
  table: string
  column: string
  /** The primary key, in its order. */
  key: readonly string[]
  /** Columns beside the key that the place is made of. */
  also?: readonly string[]
  place(row: SealedRow): Place
}

const base64 = (value: unknown): string => (value as Buffer).toString('base64')

export const SEALED_COLUMNS: readonly SealedColumn[] = [
  {
    table: 'stock_key',
    column: 'value_enc',
    key: ['store_id', 'id'],
    also: ['value_hmac'],
    place: (row) => ({
      column: 'stock_key.value',
      storeId: row.store_id,
      row: base64(row.value_hmac),
    }),
  },
  {
    table: 'webhook_endpoint',
    column: 'secret_enc',
    key: ['store_id', 'id'],
    also: ['public_id'],
    place: secretOf,
  },
  {
    table: 'webhook_endpoint',
    column: 'prev_secret_enc',
    key: ['store_id', 'id'],
    also: ['public_id'],
    place: secretOf,
  },
  {
    table: 'event',
    column: 'payload_enc',
    key: ['store_id', 'no'],
    also: ['tag'],
    place: (row) => ({ column: 'event.payload', storeId: row.store_id, row: String(row.tag) }),
  },
  {
    table: 'delivery',
    column: 'text_enc',
    key: ['store_id', 'id'],
    place: (row) => ({ column: 'delivery.text', storeId: row.store_id, row: String(row.id) }),
  },
  {
    table: 'variant_dynamic',
    column: 'secret_enc',
    key: ['store_id', 'variant_id'],
    place: (row) => ({
      column: 'variant_dynamic.secret',
      storeId: row.store_id,
      row: String(row.variant_id),
    }),
  },
  {
    table: 'idempotent_answer',
    column: 'body_enc',
    key: ['store_id', 'api_key_id', 'key'],
    place: (row) => ({
      column: 'idempotent_answer.body',
      storeId: row.store_id,
      row: `${row.api_key_id}|${row.key}`,
    }),
  },
  {
    table: 'mail',
    column: 'content_enc',
    key: ['store_id', 'id'],
    also: ['message'],
    place: (row) => ({ column: 'mail.content', storeId: row.store_id, row: String(row.message) }),
  },
  {
    table: 'api_call',
    column: 'details_enc',
    key: ['store_id', 'request_id'],
    place: (row) => ({
      column: 'api_call.details',
      storeId: row.store_id,
      row: String(row.request_id),
    }),
  },
  {
    table: 'client_signing_key',
    column: 'private_enc',
    key: ['store_id', 'id'],
    also: ['kid'],
    place: (row) => ({
      column: 'client_signing_key.private',
      storeId: row.store_id,
      row: String(row.kid),
    }),
  },
  {
    table: 'serverside_string',
    column: 'value_enc',
    key: ['store_id', 'id'],
    also: ['version'],
    place: (row) => ({
      column: 'serverside_string.value',
      storeId: row.store_id,
      row: `${row.id}|${row.version}`,
    }),
  },
  {
    table: 'license_key',
    column: 'key_enc',
    key: ['store_id', 'id'],
    also: ['key_hmac'],
    place: (row) => ({
      column: 'license_key.key',
      storeId: row.store_id,
      row: base64(row.key_hmac),
    }),
  },
  {
    table: 'dashboard_user',
    column: 'totp_secret_enc',
    key: ['id'],
    place: (row) => ({ column: 'dashboard_user.totp_secret', storeId: 0, row: String(row.id) }),
  },
  {
    table: 'installation_secret',
    column: 'value_enc',
    key: ['name'],
    place: () => ({ column: 'installation_secret.pepper', storeId: 0, row: 'pepper' }),
  },
]

function secretOf(row: SealedRow): Place {
  return { column: 'webhook_endpoint.secret', storeId: row.store_id, row: String(row.public_id) }
}

/** The place of a sealed value, for a table that has one such column. */
export function sealedPlace(table: string, row: Omit<SealedRow, 'sealed'>): Place {
  const column = SEALED_COLUMNS.find((item) => item.table === table)
  if (!column) throw new Error(`${table} holds no sealed value.`)
  return column.place({ ...row, sealed: Buffer.alloc(0) } as SealedRow)
}
