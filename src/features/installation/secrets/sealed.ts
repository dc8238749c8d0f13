import type { SealedColumn } from '../../../db/sealed-column.ts'
import type { SealContext } from '../../../kernel/vault.ts'

/** The pepper of an installation belongs to no store. */
export const PEPPER_SEAL_CONTEXT: SealContext = {
  column: 'installation_secret.pepper',
  storeId: 0,
  row: 'pepper',
}

export const secretsSealed: readonly SealedColumn[] = [
  {
    table: 'installation_secret',
    column: 'value_enc',
    key: ['name'],
    context: () => PEPPER_SEAL_CONTEXT,
  },
]
