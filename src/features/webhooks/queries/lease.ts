import { type RawBuilder, sql } from 'kysely'

/**
 * Whether a lease that ends at this moment is still held. A lease lasts 30 s. One that ends more than
 * 60 s from now was given before the machine's clock was put back, so nobody waits for it (decision 245).
 */
export const isHeld = (end: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`(${end} > clock_timestamp() and ${end} <= clock_timestamp() + interval '60 s')`
