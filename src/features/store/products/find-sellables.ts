import type { Db } from '../../../db/database.ts'
import { invalid } from '../../../kernel/errors.ts'
import type { Item } from './item-schema.ts'
import { type Found, type Sellable, selectSellables } from './queries/sellables.ts'

/** A variant, with the number of its units that an item asks for. */
export type Wanted = Sellable & { quantity: number }

/** Returns the variant that each item names. Refuses the first item that names none. */
export async function findSellables(
  db: Db,
  storeId: number,
  items: readonly Item[],
): Promise<Wanted[]> {
  const found = await selectSellables(db, storeId, items)
  return items.map(({ quantity }, at) => ({ ...named(found[at], `items[${at}]`), quantity }))
}

function named(item: Found | undefined, field: string): Sellable {
  if (!item) throw invalid(`${field}.product_id`, 'There is no product with this id.')
  if (item.variant_id !== null) return item
  throw invalid(`${field}.variant_id`, 'This product has no variant with this id.')
}
