import { type RawBuilder, sql } from 'kysely'

/**
 * Returns the condition that a column has one of these values, or undefined without values. The values
 * are of a closed set. They become literals, so that the planner can use one index for the condition and
 * for the sort.
 */
export const isOneOf = (
  column: string,
  values: readonly string[] | undefined,
): RawBuilder<unknown> | undefined =>
  values && sql`${sql.ref(column)} in (${sql.join(values.map((value) => sql.lit(value)))})`
