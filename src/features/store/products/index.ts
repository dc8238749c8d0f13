export { loadCleaner } from './clean-html.ts'
export { createProduct } from './create-product.ts'
export { getVariants, lockedProduct, productId } from './find-product.ts'
export {
  findSellables,
  findVariants,
  type Sellable,
  type Wanted,
} from './find-sellables.ts'
export { Items } from './item-schema.ts'
export { connectedMethods } from './products.rules.ts'
export {
  Details,
  DetailsPatch,
  METHODS,
  Media,
  Method,
  MethodsPatch,
  Seo,
  SeoPatch,
} from './schema.ts'
export { getProduct, withAddresses } from './show-product.ts'
export { readVariant } from './show-variants.ts'
export { updateProduct } from './update-product.ts'
