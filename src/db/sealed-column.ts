import type { SealContext } from '../kernel/vault.ts'

/** A row that holds a sealed value, with the columns that find it again and those of its context. */
export type SealedRow = Record<string, unknown> & { sealed: Buffer; store_id: number }

/** A column of sealed values. A rotation of the secrets key seals all of them again. */
export interface SealedColumn {
  table: string
  column: string
  /** The primary key, in its order. */
  key: readonly string[]
  /** Columns next to the key that the context is made of. */
  also?: readonly string[]
  context(row: SealedRow): SealContext
}
