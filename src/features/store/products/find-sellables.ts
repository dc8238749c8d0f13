import type { Db } from '../../../db/database.ts'
import { unknownId } from '../../../kernel/errors.ts'
import type { NewOrderItem } from './item-schema.ts'
import * as q from './queries/index.ts'

export type Sellable = q.Sellable

/** The variant of an item of a request, with the ordered units. */
export interface SellableItem extends Sellable {
  quantity: number
  /** The path of the item in the request, such as `items[0]`. */
  field: string
  /** The bundle of the request that the item is a part of. */
  bundle?: ItemBundle
}

/** The bundle that an item is a part of. */
interface ItemBundle {
  product_id: number
  product_hash: string
  variant_id: number
  name: string
  /** The ordered number of bundles for its first item, and 0 for its other items, so that each counts once. */
  units: number
}

/** Returns the variant of each item. Refuses the first item whose product or variant does not exist. */
export async function findSellables(
  db: Db,
  storeId: number,
  items: readonly NewOrderItem[],
): Promise<SellableItem[]> {
  const matches = await q.selectSellables(db, storeId, items)
  return items.map((item, index) => {
    const field = `items[${index}]`
    return { ...checkMatch(matches[index], item, field), quantity: item.quantity, field }
  })
}

/** Returns the variant of each item; undefined if it no longer exists. */
export async function findVariants(
  db: Db,
  storeId: number,
  items: readonly { product_id: string; variant_id: number }[],
): Promise<(Sellable | undefined)[]> {
  const matches = await q.selectSellables(db, storeId, items)
  return matches.map((item) => (item && item.variant_id !== null ? item : undefined))
}

function checkMatch(
  match: q.ItemMatch | undefined,
  { product_id, variant_id }: NewOrderItem,
  field: string,
): Sellable {
  if (!match) throw unknownId(`${field}.product_id`, product_id, 'This store has no product')
  if (match.variant_id !== null) return match
  throw unknownId(
    `${field}.variant_id`,
    variant_id ?? 0,
    'This product has no variant',
    'Send the id of one of its variants.',
  )
}
