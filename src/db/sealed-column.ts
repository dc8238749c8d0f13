import type { SealContext } from '../kernel/vault.ts'

/** A row with a sealed value, the columns of its primary key, and the columns of its seal context. */
export type SealedRow = Record<string, unknown> & { sealed: Buffer; store_id: number }

/** A column of sealed values. A rotation of the secrets key seals all of them again. */
export interface SealedColumn {
  table: string
  column: string
  /** The columns of the primary key, in their order. */
  key: readonly string[]
  /** The columns of the seal context that are not in the key. */
  contextColumns?: readonly string[]
  context(row: SealedRow): SealContext
}
