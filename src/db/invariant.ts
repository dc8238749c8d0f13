import type { Db, Expression } from './database.ts'
import { onlyValue } from './rows.ts'

/** A rule that the data must always satisfy. */
export interface Invariant {
  /** The name of the check. */
  check: string
  /** The rule, as a sentence. */
  rule: string
  /** The remedy, if a command repairs the rows. */
  cure?: string
  /** Counts the rows that break the rule. */
  count(db: Db): Promise<number>
}

/** Creates an invariant from a query for the rows that break it. */
export const invariantOf = (
  check: string,
  rule: string,
  query: Expression,
  cure?: string,
): Invariant => ({
  check,
  rule,
  ...(cure !== undefined && { cure }),
  count: (db) => onlyValue<number>(db)`select count(*) from (${query}) broken`,
})
