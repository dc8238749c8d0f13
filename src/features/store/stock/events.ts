import type { NewEvent } from '../../../events/ledger.ts'
import type { EventObject } from '../../../events/types.ts'
import type { StockedProduct } from './queries/counters.ts'

const productObject = ({
  hash_id,
  name,
  slug,
  status,
  stock,
}: StockedProduct): EventObject<'product.out_of_stock'> => ({
  object: 'product',
  id: hash_id,
  name,
  slug,
  status,
  stock,
})

export const outOfStockEvent = (product: StockedProduct): NewEvent => ({
  type: 'product.out_of_stock',
  object_id: product.hash_id,
  object: productObject(product),
})

export const restockedEvent = (product: StockedProduct, added: number): NewEvent => ({
  type: 'product.restocked',
  object_id: product.hash_id,
  object: { ...productObject(product), added },
})

export const deletedEvent = (product: StockedProduct): NewEvent => ({
  type: 'product.deleted',
  object_id: product.hash_id,
  object: productObject(product),
})
