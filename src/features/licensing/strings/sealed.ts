import type { SealedColumn } from '../../../db/sealed-column.ts'
import type { SealContext } from '../../../kernel/vault.ts'

/** Each version of a string is sealed under its id and version. */
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
    also: ['version'],
    context: (row) =>
      stringSealContext(row.store_id, { id: row.id as number, version: row.version as number }),
  },
]
