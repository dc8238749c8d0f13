import type { Db } from '../../../db/database.ts'
import { invalid } from '../../../kernel/errors.ts'
import type { Item } from './item-schema.ts'
import { type Found, type Sellable, selectSellables } from './queries/sellables.ts'

export type { Sellable }

/** A variant, with the number of its units that an item asks for. */
export interface Wanted extends Sellable {
  quantity: number
  /** The item of the request, such as `items[0]`. */
  field: string
  /** The name of the bundle that the item named instead. */
  bundle_name?: string
}

/** Returns the variant that each item names. Refuses the first item that names none. */
export async function findSellables(
  db: Db,
  storeId: number,
  items: readonly Item[],
): Promise<Wanted[]> {
  const found = await selectSellables(db, storeId, items)
  return items.map(({ quantity }, at) => {
    const field = `items[${at}]`
    return { ...named(found[at], field), quantity, field }
  })
}

/** Returns the variant of each item; undefined if it does not exist any more. */
export async function findVariants(
  db: Db,
  storeId: number,
  items: readonly { product_id: string; variant_id: number }[],
): Promise<(Sellable | undefined)[]> {
  const found = await selectSellables(db, storeId, items)
  return found.map((item) => (item && item.variant_id !== null ? item : undefined))
}

function named(item: Found | undefined, field: string): Sellable {
  if (!item) throw invalid(`${field}.product_id`, 'There is no product with this id.')
  if (item.variant_id !== null) return item
  throw invalid(`${field}.variant_id`, 'This product has no variant with this id.')
}
