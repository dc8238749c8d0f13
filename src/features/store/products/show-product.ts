import type { Db } from '../../../db/database.ts'
import { requireRecord } from '../../../kernel/errors.ts'
import { pagination } from '../../../kernel/page.ts'
import type { StoreContext } from '../../../store-context.ts'
import { allMethods } from './products.rules.ts'
import * as q from './queries/index.ts'
import type { Media, ProductQuery, ProductSections } from './schema.ts'

/** Returns a product with all its sections, by hash or numeric id. */
export const getProduct = (context: StoreContext, ref: string): Promise<ProductSections> =>
  readProduct(context, context.db, ref)

/** Returns a product within a transaction that may have changed it. */
export async function readProduct(
  { store, publicUrl }: StoreContext,
  db: Db,
  ref: string | number,
): Promise<ProductSections> {
  const row = requireRecord(await q.selectProduct(db, store.id, String(ref)), 'Product')
  const { details, seo, methods, media, variants, ...product } = row
  return {
    product,
    details,
    seo,
    methods: allMethods(store, methods),
    media: withFullUrls(media, publicUrl),
    variants,
  }
}

/** Returns a page of products; `include` adds sections to each row (decision 26). */
export async function listProducts({ db, store, publicUrl }: StoreContext, query: ProductQuery) {
  const { products, total } = await q.selectProducts(db, store.id, query)
  return {
    products: products.map(({ media, methods, ...product }) => ({
      ...product,
      ...(methods && { methods: allMethods(store, methods) }),
      ...(media && { media: withFullUrls(media, publicUrl) }),
    })),
    pagination: pagination(query, total),
  }
}

/** Completes the URLs of uploaded media. Only their path is stored, because the public URL may change. */
export const withFullUrls = (media: readonly Media[], publicUrl: string): Media[] =>
  media.map((item) => (item.url.startsWith('/') ? { ...item, url: publicUrl + item.url } : item))
