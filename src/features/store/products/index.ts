export { loadCleaner } from './clean-html.ts'
export { createProduct } from './create-product.ts'
export { findProductId, getVariants, lockProductByRef } from './find-product.ts'
export {
  findSellables,
  findVariants,
  type Sellable,
  type SellableItem,
} from './find-sellables.ts'
export { Items } from './item-schema.ts'
export {
  DetailsPatch,
  Media,
  Method,
  MethodsPatch,
  ProductDetails,
  Seo,
  SeoPatch,
} from './schema.ts'
export { getProduct, withFullUrls } from './show-product.ts'
export { readVariant } from './show-variants.ts'
export { updateProduct } from './update-product.ts'
