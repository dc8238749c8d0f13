import { MASK_TEXT, mask } from '../stock/index.ts'
import type { Delivery } from './delivery-schema.ts'

/** Masks the keys and the text of a delivery, for users who may not see secrets (decision 136). */
export const maskDelivery = (delivery: Delivery): Delivery => ({
  ...delivery,
  keys: delivery.keys.map(mask),
  text: delivery.text === null ? null : MASK_TEXT,
})
