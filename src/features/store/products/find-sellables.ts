import type { Db } from '../../../db/database.ts'
import { invalid } from '../../../kernel/errors.ts'
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
export interface ItemBundle {
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
  return items.map(({ quantity }, index) => {
    const field = `items[${index}]`
    return { ...checkMatch(matches[index], field), quantity, field }
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

function checkMatch(item: q.ItemMatch | undefined, field: string): Sellable {
  if (!item)
    throw invalid(
      `${field}.product_id`,
      'This store has no product with this id. Send the id of an existing one.',
    )
  if (item.variant_id !== null) return item
  throw invalid(
    `${field}.variant_id`,
    'This product has no variant with this id. Send the id of one of its variants.',
  )
}
