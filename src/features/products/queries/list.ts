import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import type { ListedProduct, ProductQuery } from '../schema.ts'
import { PRODUCT, productsWith, SECTIONS } from './sections.ts'

type Sort = Exclude<ProductQuery['sort'], `-${string}`>

const SORTED_BY: Record<Sort, RawBuilder<unknown>> = {
  created_at: sql`p.created_at`,
  name: sql`p.name`,
  price_cents: sql`p.price_cents`,
  sales_count: sql`coalesce(n.sold, 0)`,
}

export interface FoundProducts {
  products: ListedProduct[]
  /** How many there are on all pages, where a search counted them by the way. */
  total: number | undefined
}

/** A page of products. Which ones is settled first, so that only theirs is read. */
export async function selectProducts(
  db: Db,
  storeId: number,
  query: ProductQuery,
): Promise<FoundProducts> {
  const sort = query.sort.replace('-', '') as Sort
  const direction = query.sort.startsWith('-') ? sql`desc` : sql`asc`
  const include = query.include ?? []
  // Who matches a search are few: they are looked up once, for the page and for the total.
  const total = query.search ? sql`count(*) over ()` : sql`null::bigint`
  const { rows } = await sql<ListedProduct & { total: number | null }>`
    with page as materialized (
      select p.id, ${total} as total,
             row_number() over (order by ${SORTED_BY[sort]} ${direction}, p.id ${direction}) as place
        from product p
             ${sort === 'sales_count' ? unitsSold(storeId) : sql``}
       where ${conditions(storeId, query)}
       order by ${SORTED_BY[sort]} ${direction}, p.id ${direction}
       limit ${query.limit} offset ${query.offset}
    )
    select g.total, ${sql.join([PRODUCT, ...include.map((name) => SECTIONS[name])])}
      from ${productsWith(include)}
      join page g on g.id = p.id
     where p.store_id = ${storeId}
     order by g.place`.execute(db)
  const products = rows.map(({ total: _, ...product }) => product)
  return { products, total: rows[0]?.total ?? undefined }
}

const unitsSold = (storeId: number) => sql`
  left join (select v.product_id, sum(s.sold) as sold
               from stock s
               join variant v on v.store_id = s.store_id and v.id = s.variant_id
              where s.store_id = ${storeId} and s.sold > 0
              group by v.product_id) n on n.product_id = p.id`

/** How many products match, on all pages. All of a store are counted already. */
export async function countProducts(db: Db, storeId: number, query: ProductQuery): Promise<number> {
  const filters = filtersOf(query)
  const { rows } = await (filters.length === 0
    ? sql<{ total: number }>`
        select coalesce(sum(products), 0) as total from product_tally where store_id = ${storeId}`
    : sql<{ total: number }>`
        select count(*) as total from product p where ${conditions(storeId, query)}`
  ).execute(db)
  return rows[0]?.total ?? 0
}

const conditions = (storeId: number, query: ProductQuery) =>
  sql.join(
    [
      sql`p.store_id = ${storeId} and p.deleted_at is null`,
      ...filtersOf(query).map((one) => one(storeId)),
    ],
    sql` and `,
  )

type Filter = (storeId: number) => RawBuilder<unknown>

const IN_STOCK = sql`
  exists (select from variant v
            join stock s on s.store_id = v.store_id and s.variant_id = v.id
           where v.store_id = p.store_id and v.product_id = p.id and v.active and v.deleted_at is null
             and (v.stock_mode = 'unlimited' or not v.track_inventory or s.on_hand > s.reserved))`

/** The conditions that the caller asks for, beside those of every list. */
function filtersOf(query: ProductQuery): Filter[] {
  const { category_id, search, created_from, created_to, active, in_stock } = query
  const among = (column: string, values: readonly string[] | undefined) =>
    values && (() => sql`${sql.ref(column)} = any(${values}::text[])`)
  const all: (Filter | undefined | false | '')[] = [
    among('p.status', query.status),
    among('p.visibility', query.visibility),
    among('p.type', query.type),
    among('p.product_kind', query.product_kind),
    active !== undefined && (() => sql`p.active = ${active}`),
    in_stock !== undefined && (() => sql`${IN_STOCK} = ${in_stock}`),
    category_id !== undefined &&
      ((storeId) => sql`
        p.id in (select l.product_id from product_category l
                  where l.store_id = ${storeId} and l.category_id = ${category_id})`),
    search && ((storeId) => containing(storeId, search)),
    created_from && (() => sql`p.created_at >= ${created_from}`),
    created_to && (() => sql`p.created_at < ${created_to}`),
  ]
  return all.filter((one): one is Filter => Boolean(one))
}

/** The index gives whoever has all runs of characters of the text; of these, who has them in a row. */
function containing(storeId: number, search: string) {
  const like = `%${search.replace(/[\\%_]/g, '\\$&')}%`
  const sizes = [...search].length < 3 ? '{2}' : '{3}'
  return sql`
    p.grams @> grams(${storeId}::bigint, ${search}, ${sizes})
    and (lower(p.name) like lower(${like}) or p.slug like lower(${like})
         or lower(p.sku) like lower(${like}))`
}
