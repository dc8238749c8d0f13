import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import { isHash } from '../../../kernel/ids.ts'
import type { ProductRow } from '../products.rules.ts'
import type {
  Details,
  ListedProduct,
  Method,
  Product,
  ProductQuery,
  Section,
  Seo,
} from '../schema.ts'

/** What a product shows of itself: the `product` section, column by column. */
const PRODUCT = sql`
  p.hash_id as id, 'product' as object, p.hash_id, p.id as legacy_id, p.name, p.slug, p.type,
  p.product_kind, p.status, p.active, p.visibility, p.price_cents, p.discount_percent, p.currency,
  p.accepts_coupons, p.min_qty, p.max_qty, p.sell_limit, p.requires_shipping, p.sku,
  p.delivery_note, p.best_seller, p.metadata, p.stock_alert_threshold, p.created_at, p.updated_at,
  v.sales_count,
  (select coalesce(json_agg(json_build_object('id', c.id, 'name', c.name, 'icon', c.icon)
                            order by c.position, c.id), '[]')
     from product_category l
     join category c on c.store_id = l.store_id and c.id = l.category_id
    where l.store_id = p.store_id and l.product_id = p.id) as categories`

/** The other sections, each as one column of JSON. */
const SECTIONS = {
  details: sql`
    json_build_object(
      'short_description', d.short_description, 'description_html', d.description_html,
      'youtube_url', d.youtube_url, 'delivered_message', d.delivered_message,
      'highlights', d.highlights) as details`,
  seo: sql`
    json_build_object(
      'meta_title', d.meta_title, 'meta_description', d.meta_description, 'og_title', d.og_title,
      'og_description', d.og_description, 'og_image_url', d.og_image_url) as seo`,
  methods: sql`p.methods`,
  media: sql`
    (select coalesce(json_agg(json_build_object(
              'id', m.id, 'kind', m.kind, 'url', m.url, 'position', m.position,
              'is_main', m.is_main, 'meta', m.meta, 'created_at', iso(m.created_at))
            order by m.position, m.id), '[]')
       from product_media m
      where m.store_id = p.store_id and m.product_id = p.id) as media`,
  variants: sql`v.variants`,
} satisfies Record<Section, unknown>

/** A variant as JSON; its product is `p`, its counters are `s`. */
const VARIANT = sql`
  json_build_object(
    'id', v.id, 'object', 'variant', 'product_id', p.hash_id, 'name', v.name, 'slug', v.slug,
    'delivery_type', v.delivery_type, 'price_cents', v.price_cents,
    'discount_percent', v.discount_percent, 'compare_at_cents', v.compare_at_cents,
    'is_default', v.is_default, 'active', v.active, 'sort_order', v.sort_order,
    'image_url', v.image_url, 'stock_mode', v.stock_mode,
    'stock_quantity', case when v.stock_mode = 'unlimited' then 0
                           else greatest(s.on_hand - s.reserved, 0) end,
    'sku', v.sku, 'barcode', v.barcode, 'weight_grams', v.weight_grams,
    'track_inventory', v.track_inventory, 'allow_backorder', v.allow_backorder,
    'low_stock_threshold', v.low_stock_threshold, 'option_values', v.option_values,
    'created_at', iso(v.created_at), 'updated_at', iso(v.updated_at))`

/** Products with their content, and one walk over their variants for all that is read of these. */
const productsWith = (sections: readonly Section[]) => sql`
  product p
  join product_content d on d.store_id = p.store_id and d.product_id = p.id
  cross join lateral (
    select coalesce(sum(s.sold), 0) as sales_count
           ${sections.includes('variants') ? sql`, ${VARIANTS}` : sql``}
      from variant v
      join stock s on s.store_id = v.store_id and s.variant_id = v.id
     where v.store_id = p.store_id and v.product_id = p.id) v`

const VARIANTS = sql`
  coalesce(json_agg(${VARIANT} order by v.sort_order, v.id) filter (where v.deleted_at is null), '[]')
    as variants`

/** A product by its hash or its numeric id. */
const named = (ref: string) => (isHash(ref) ? sql`p.hash_id = ${ref}` : sql`p.id = ${Number(ref)}`)

/** A product with all its sections, in one round trip. */
export async function selectProduct(db: Db, storeId: number, ref: string) {
  const { rows } = await sql<Required<ListedProduct>>`
    select ${PRODUCT}, ${sql.join(Object.values(SECTIONS))}
      from ${productsWith(Object.keys(SECTIONS) as Section[])}
     where p.store_id = ${storeId} and ${named(ref)} and p.deleted_at is null`.execute(db)
  return rows[0]
}

export type Stored = Pick<Product, 'min_qty' | 'max_qty'> & { id: number; methods: Method[] }

/** Locks a product for a change of its fields. */
export async function lockProduct(
  tx: Tx,
  storeId: number,
  ref: string,
): Promise<Stored | undefined> {
  const { rows } = await sql<Stored>`
    select p.id, p.min_qty, p.max_qty, p.methods
      from product p
     where p.store_id = ${storeId} and ${named(ref)} and p.deleted_at is null
       for update`.execute(tx)
  return rows[0]
}

const SORTED_BY = {
  created_at: sql`p.created_at`,
  name: sql`p.name`,
  price_cents: sql`p.price_cents`,
  sales_count: sql`v.sales_count`,
}

/** A page of products, and how many there are on all pages. */
export async function selectProducts(db: Db, storeId: number, query: ProductQuery) {
  const where = conditions(storeId, query)
  const descending = query.sort.startsWith('-')
  const direction = descending ? sql`desc` : sql`asc`
  const sortedBy = SORTED_BY[query.sort.replace('-', '') as keyof typeof SORTED_BY]
  const include = query.include ?? []
  const page = await sql<ListedProduct>`
    select ${sql.join([PRODUCT, ...include.map((name) => SECTIONS[name])])}
      from ${productsWith(include)}
     where ${where}
     order by ${sortedBy} ${direction}, p.id ${direction}
     limit ${query.limit} offset ${query.offset}`.execute(db)
  const count = await sql<{ total: number }>`
    select count(*) as total from product p where ${where}`.execute(db)
  return { products: page.rows, total: count.rows[0]?.total ?? 0 }
}

const IN_STOCK = sql`
  exists (select from variant v
            join stock s on s.store_id = v.store_id and s.variant_id = v.id
           where v.store_id = p.store_id and v.product_id = p.id and v.active and v.deleted_at is null
             and (v.stock_mode = 'unlimited' or not v.track_inventory or s.on_hand > s.reserved))`

function conditions(storeId: number, query: ProductQuery) {
  const { category_id, search, created_from, created_to } = query
  const like = search && `%${search.replace(/[\\%_]/g, '\\$&')}%`
  const among = (column: string, values: readonly string[] | undefined) =>
    values && sql`${sql.ref(column)} = any(${values}::text[])`
  const all = [
    sql`p.store_id = ${storeId} and p.deleted_at is null`,
    among('p.status', query.status),
    among('p.visibility', query.visibility),
    among('p.type', query.type),
    among('p.product_kind', query.product_kind),
    query.active !== undefined && sql`p.active = ${query.active}`,
    query.in_stock !== undefined && sql`${IN_STOCK} = ${query.in_stock}`,
    category_id !== undefined &&
      sql`exists (select from product_category l
                   where l.store_id = p.store_id and l.category_id = ${category_id} and l.product_id = p.id)`,
    like && sql`(p.name ilike ${like} or p.slug ilike ${like} or p.sku ilike ${like})`,
    created_from && sql`p.created_at >= ${created_from}`,
    created_to && sql`p.created_at < ${created_to}`,
  ]
  return sql.join(
    all.filter((condition) => condition !== undefined && condition !== false && condition !== ''),
    sql` and `,
  )
}

/** The slugs of the store that begin so. */
export async function slugExists(db: Db, storeId: number, slug: string): Promise<boolean> {
  const row = await db
    .selectFrom('product')
    .select('id')
    .where('store_id', '=', storeId)
    .where('slug', '=', slug)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

export interface NewProductRow extends ProductRow {
  slug: string
  hash_id: string
  methods: readonly Method[]
  created_at: string
}

/** The numeric id, or nothing where the slug is taken. */
export async function insertProduct(
  tx: Tx,
  storeId: number,
  row: NewProductRow,
): Promise<number | undefined> {
  const { metadata, methods, ...fields } = row
  const made = await tx
    .insertInto('product')
    .values({
      ...fields,
      store_id: storeId,
      metadata: JSON.stringify(metadata),
      methods: JSON.stringify(methods),
      updated_at: row.created_at,
    })
    .onConflict((conflict) =>
      conflict.columns(['store_id', 'slug']).where('deleted_at', 'is', null).doNothing(),
    )
    .returning('id')
    .executeTakeFirst()
  return made?.id
}

export type ProductChange = Partial<ProductRow> & { slug?: string; methods?: readonly Method[] }

export async function updateProduct(
  tx: Tx,
  storeId: number,
  id: number,
  { metadata, methods, updated_at, ...fields }: ProductChange & { updated_at: string },
): Promise<void> {
  await tx
    .updateTable('product')
    .set((row) => ({
      ...fields,
      ...(metadata && { metadata: JSON.stringify(metadata) }),
      ...(methods && { methods: JSON.stringify(methods) }),
      updated_at: sql<string>`greatest(${row.ref('updated_at')}, ${updated_at})`,
    }))
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .execute()
}

export type Content = Partial<Details & Seo>

const withJson = ({ highlights, ...texts }: Content) => ({
  ...texts,
  ...(highlights && { highlights: JSON.stringify(highlights) }),
})

export async function insertContent(tx: Tx, storeId: number, productId: number, content: Content) {
  await tx
    .insertInto('product_content')
    .values({ highlights: '{}', ...withJson(content), store_id: storeId, product_id: productId })
    .execute()
}

export async function updateContent(tx: Tx, storeId: number, productId: number, content: Content) {
  await tx
    .updateTable('product_content')
    .set(withJson(content))
    .where('store_id', '=', storeId)
    .where('product_id', '=', productId)
    .execute()
}

/** Lists the product in these categories and no others; says which do not exist. */
export async function replaceCategories(
  tx: Tx,
  storeId: number,
  productId: number,
  ids: readonly number[],
): Promise<Set<number>> {
  await sql`
    delete from product_category
     where store_id = ${storeId} and product_id = ${productId}
       and category_id <> all(${ids}::bigint[])`.execute(tx)
  const { rows } = await sql<{ id: number }>`
    with known as (
      select c.id from category c where c.store_id = ${storeId} and c.id = any(${ids}::bigint[])
    ), added as (
      insert into product_category (store_id, product_id, category_id)
      select ${storeId}, ${productId}, k.id from known k
          on conflict do nothing
    )
    select id from known`.execute(tx)
  return new Set(rows.map((row) => row.id))
}
