import { type RawBuilder, sql } from 'kysely'

/**
 * The id of a delivery consists of the number of its event and its position in the event's list of endpoints.
 * A delivery therefore needs no row before its first attempt. A store has fewer endpoints than positions.
 */
export const POSITIONS = 32
const POSITION_BITS = 5

/** The name of a column, or a value. */
type Operand = string | number
const asSql = (operand: Operand): RawBuilder<unknown> =>
  typeof operand === 'string' ? sql.ref(operand) : sql`${operand}::bigint`

/** Returns the id of the delivery for one of the event's endpoints. `position` counts the endpoints from 0. */
export const deliveryIdOf = (eventNo: number, position: number): number =>
  eventNo * POSITIONS + position

/** SQL for the number of a delivery's event. */
export const eventNoOf = (id: Operand) => sql`${asSql(id)} >> ${sql.lit(POSITION_BITS)}`

/** SQL for the position of a delivery in the array of the event's endpoints, from 1. */
export const positionOf = (id: Operand) =>
  sql`((${asSql(id)} & ${sql.lit(POSITIONS - 1)})::int + 1)`

/** SQL for the id of the delivery at a position in the array of the event's endpoints, from 1. */
export const deliveryAt = (eventNo: Operand, position: Operand) =>
  sql`${asSql(eventNo)} * ${sql.lit(POSITIONS)} + ${asSql(position)} - 1`

/** SQL that is true if a delivery belongs to an event. It can use the index of deliveries by id. */
export const isOfEvent = (id: Operand, eventNo: Operand) => sql`
  ${asSql(id)} >= ${asSql(eventNo)} * ${sql.lit(POSITIONS)} and ${asSql(id)} < (${asSql(eventNo)} + 1) * ${sql.lit(POSITIONS)}`
