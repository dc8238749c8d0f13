import type { Order, Return } from '../../api/store.ts'
import { fill } from '../../text/catalogue.ts'
import { returns } from '../../text/returns.ts'

/** The name of a line of the order. */
export const nameOf = (order: Order, lineId: number): string =>
  order.items.find((item) => item.id === lineId)?.name ?? fill(returns.line, { id: lineId })

export const unitsOf = ({ items }: Return): number =>
  items.reduce((sum, { quantity }) => sum + quantity, 0)
