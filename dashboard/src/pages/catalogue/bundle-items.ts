import { type Request, storeRequest } from '../../api/action.ts'
import type { BundleItem, StoreContext } from '../../api/store.ts'

/** The maximum number of items of a bundle (decision 340). */
export const ITEMS_MAX = 20

export const readItems = async ({ api }: StoreContext, productId: string): Promise<BundleItem[]> =>
  (await api.bundles.get(productId)).bundle.items

/** The fields of an item that a change sends. */
type ItemBody = Pick<BundleItem, 'variant_id' | 'quantity'>

const bodyOf = (items: readonly ItemBody[]) => ({
  items: items.map(({ variant_id, quantity }) => ({ variant_id, quantity })),
})

/**
 * A request that changes the items. The API replaces the whole list. The items are therefore read again before
 * they are changed, so that another user's changes are kept.
 */
export const changeItemsRequest = (
  productId: string,
  shownItems: readonly BundleItem[],
  change: (items: readonly ItemBody[]) => ItemBody[],
): Request => ({
  ...storeRequest('bundles', 'set', productId, bodyOf(change(shownItems))),
  area: 'products',
  send: async (store) =>
    store.api.bundles.set(productId, bodyOf(change(await readItems(store, productId)))),
})

export const withoutVariant = (items: readonly ItemBody[], variantId: number): ItemBody[] =>
  items.filter(({ variant_id }) => variant_id !== variantId)

/** Sets the quantity of an item. Adds the item if the bundle does not have it. */
export const withQuantity = (items: readonly ItemBody[], changed: ItemBody): ItemBody[] =>
  items.some(({ variant_id }) => variant_id === changed.variant_id)
    ? items.map((item) => (item.variant_id === changed.variant_id ? changed : item))
    : [...items, changed]

/** Sorts items by the positions of their variants in the list. Other items follow. */
export const inSequence = (
  items: readonly ItemBody[],
  variantIds: readonly number[],
): ItemBody[] => {
  const positionOf = ({ variant_id }: ItemBody) => {
    const index = variantIds.indexOf(variant_id)
    return index === -1 ? variantIds.length : index
  }
  return items.toSorted((a, b) => positionOf(a) - positionOf(b))
}
