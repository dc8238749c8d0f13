import type { Db } from '../../../db/database.ts'
import { found } from '../../../kernel/errors.ts'
import { type Pagination, pagination } from '../../../kernel/page.ts'
import type { StoreContext } from '../../../store-context.ts'
import { selectProducts } from './queries/list.ts'
import { selectProduct } from './queries/products.ts'
import type { ListedProduct, Media, ProductQuery, ProductSections } from './schema.ts'

/** Returns one product with all its sections, by hash or numeric id. */
export const getProduct = (context: StoreContext, ref: string): Promise<ProductSections> =>
  readProduct(context, context.db, ref)

/** Returns the same within a transaction that changed the product. */
export async function readProduct(
  { store, publicUrl }: StoreContext,
  db: Db,
  ref: string | number,
): Promise<ProductSections> {
  const row = found(await selectProduct(db, store.id, String(ref)), 'Product')
  const { details, seo, methods, media, variants, ...product } = row
  return { product, details, seo, methods, media: withAddresses(media, publicUrl), variants }
}

/** Returns a page of products; `include` adds sections to each row (decision 26). */
export async function listProducts(
  { db, store, publicUrl }: StoreContext,
  query: ProductQuery,
): Promise<{ products: ListedProduct[]; pagination: Pagination }> {
  const { products, total } = await selectProducts(db, store.id, query)
  return {
    products: products.map(({ media, ...product }) => ({
      ...product,
      ...(media && { media: withAddresses(media, publicUrl) }),
    })),
    pagination: pagination(query, total),
  }
}

/** Media in our storage have only a path, so that the public URL of the installation may change. */
export const withAddresses = (media: readonly Media[], publicUrl: string): Media[] =>
  media.map((item) => (item.url.startsWith('/') ? { ...item, url: publicUrl + item.url } : item))
