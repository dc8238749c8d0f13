export { createProduct } from './create-product.ts'
