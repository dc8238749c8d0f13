import { HIDDEN, mask } from '../stock/index.ts'
import type { Delivery } from './delivery-schema.ts'

/** A delivery without what was handed over, for users who may not see it (decision 337). */
export const maskDelivery = (delivery: Delivery): Delivery => ({
  ...delivery,
  keys: delivery.keys.map(mask),
  text: delivery.text === null ? null : HIDDEN,
})
