import { type RawBuilder, sql } from 'kysely'

/**
 * SQL that is true while a lease with this end is held. A lease lasts 30 s. One that ends more than
 * 60 s from now was given before the machine's clock was put back, so it counts as expired (decision 245).
 */
export const isHeld = (end: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`(${end} > clock_timestamp() and ${end} <= clock_timestamp() + interval '60 s')`
