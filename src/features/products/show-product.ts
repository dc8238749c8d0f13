import { found } from '../../kernel/errors.ts'
import { type Pagination, pagination } from '../../kernel/page.ts'
import type { Shop } from '../../shop.ts'
import { selectProduct, selectProducts } from './queries/products.ts'
import type { ListedProduct, ProductQuery, ProductSections } from './schema.ts'

/** One product with all its sections, by hash or numeric id. */
export async function getProduct({ db, store }: Shop, ref: string): Promise<ProductSections> {
  return sectionsOf(found(await selectProduct(db, store.id, ref), 'Product'))
}

/** A page of products; `include` adds sections to each row (decision 26). */
export async function listProducts(
  { db, store }: Shop,
  query: ProductQuery,
): Promise<{ products: ListedProduct[]; pagination: Pagination }> {
  const { products, total } = await selectProducts(db, store.id, query)
  return { products, pagination: pagination(query, total) }
}

export const sectionsOf = ({
  details,
  seo,
  methods,
  media,
  variants,
  ...product
}: Required<ListedProduct>): ProductSections => ({
  product,
  details,
  seo,
  methods,
  media,
  variants,
})
