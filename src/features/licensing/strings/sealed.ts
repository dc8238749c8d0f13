import type { SealedColumn } from '../../../db/sealed-column.ts'
import type { SealContext } from '../../../kernel/vault.ts'

/** The seal of a value is bound to the id and the version of its string. */
export const stringSealContext = (
  storeId: number,
  { id, version }: { id: number; version: number },
): SealContext => ({
  column: 'serverside_string.value',
  storeId,
  row: `${id}|${version}`,
})

export const stringSealed: readonly SealedColumn[] = [
  {
    table: 'serverside_string',
    column: 'value_enc',
    key: ['store_id', 'id'],
    contextColumns: ['version'],
    context: (row) =>
      stringSealContext(row.store_id, { id: row.id as number, version: row.version as number }),
  },
  {
    table: 'serverside_string_version',
    column: 'value_enc',
    key: ['store_id', 'string_id', 'version'],
    context: (row) =>
      stringSealContext(row.store_id, {
        id: row.string_id as number,
        version: row.version as number,
      }),
  },
]
