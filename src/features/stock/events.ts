import type { NewEvent } from '../../events/ledger.ts'
import type { StockedProduct } from './queries/counters.ts'

const productObject = ({ hash_id, name, slug, status, stock }: StockedProduct) => ({
  object: 'product',
  id: hash_id,
  name,
  slug,
  status,
  stock,
})

export const asOutOfStock = (product: StockedProduct): NewEvent => ({
  type: 'product.out_of_stock',
  object_id: product.hash_id,
  object: productObject(product),
})

export const asRestocked = (product: StockedProduct, added: number): NewEvent => ({
  type: 'product.restocked',
  object_id: product.hash_id,
  object: { ...productObject(product), added },
})
