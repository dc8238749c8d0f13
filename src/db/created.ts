import { type RawBuilder, sql } from 'kysely'

/** The period in which the records of a list were created. */
export interface CreatedPeriod {
  created_from?: string | undefined
  created_to?: string | undefined
}

/** Returns the conditions that a column is in the period. Its start is inclusive, its end exclusive. */
export const createdWithin = (
  column: string,
  { created_from, created_to }: CreatedPeriod,
): RawBuilder<unknown>[] => [
  ...(created_from === undefined ? [] : [sql`${sql.ref(column)} >= ${created_from}`]),
  ...(created_to === undefined ? [] : [sql`${sql.ref(column)} < ${created_to}`]),
]
