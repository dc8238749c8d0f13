import { type RawBuilder, sql } from 'kysely'

/**
 * A delivery's number is made of its event's number and its position in the event's list of endpoints,
 * so a delivery that waits for its first attempt needs no row. A store has fewer endpoints than positions.
 */
const PLACES = 32
const PLACE_BITS = 5

/** A column, or a value. */
type Operand = string | number
const asSql = (operand: Operand): RawBuilder<unknown> =>
  typeof operand === 'string' ? sql.ref(operand) : sql`${operand}::bigint`

/** `place` counts from 0. */
export const deliveryIdOf = (no: number, position: number): number => no * PLACES + position

/** The number of a delivery's event. */
export const eventNo = (id: Operand) => sql`${asSql(id)} >> ${sql.lit(PLACE_BITS)}`

/** Its place in an array of the event's endpoints, from 1. */
export const placeOf = (id: Operand) => sql`((${asSql(id)} & ${sql.lit(PLACES - 1)})::int + 1)`

/** The delivery at a place of an array of the event's endpoints, from 1. */
export const deliveryAt = (no: Operand, position: Operand) =>
  sql`${asSql(no)} * ${sql.lit(PLACES)} + ${asSql(position)} - 1`

/** True if a delivery belongs to an event, in a form that an index of deliveries serves. */
export const isOfEvent = (id: Operand, no: Operand) => sql`
  ${asSql(id)} >= ${asSql(no)} * ${sql.lit(PLACES)} and ${asSql(id)} < (${asSql(no)} + 1) * ${sql.lit(PLACES)}`
