import { type RawBuilder, sql } from 'kysely'

/**
 * The condition that a column has one of these values; undefined without values. They are of a
 * closed set and become literals, so that a plan fits them and a single value keeps the sort of an index.
 */
export const among = (
  column: string,
  values: readonly string[] | undefined,
): RawBuilder<unknown> | undefined =>
  values && sql`${sql.ref(column)} in (${sql.join(values.map((value) => sql.lit(value)))})`
