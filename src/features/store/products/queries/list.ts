import { type RawBuilder, sql } from 'kysely'
import { among } from '../../../../db/among.ts'
import type { Db } from '../../../../db/database.ts'
import { countedTo } from '../../../../kernel/page.ts'
import type { ListedProduct, ProductQuery } from '../schema.ts'
import { PRODUCT, productsWith, SECTIONS } from './sections.ts'

type Sort = Exclude<ProductQuery['sort'], `-${string}`>

const SORTED_BY: Record<Sort, RawBuilder<unknown>> = {
  created_at: sql`p.created_at`,
  name: sql`p.name`,
  price_cents: sql`p.price_cents`,
  sales_count: sql`n.sold`,
}

export interface FoundProducts {
  products: ListedProduct[]
  total: number
}

/**
 * Returns a page of products and how many match, in one statement. The page is found first, so that
 * sections are read for its products only. A page past the end has no total, which then takes a
 * second statement.
 */
export async function selectProducts(
  db: Db,
  storeId: number,
  query: ProductQuery,
): Promise<FoundProducts> {
  const found = matching(storeId, query)
  if (found.apart) return selectSought(db, storeId, { query, found })
  const include = query.include ?? []
  const { rows } = await sql<ListedProduct & { total: number }>`${found.planned}
    with ${found.page}
    select (${found.total}) as total,
           ${sql.join([PRODUCT, ...include.map((name) => SECTIONS[name])])}
      from ${productsWith(include)}
      join page g on g.id = p.id
     where p.store_id = ${storeId} and n.store_id = ${storeId}
     order by g.place`.execute(db)
  const products = rows.map(({ total: _, ...product }) => product)
  const [first] = rows
  if (first) return { products, total: first.total }
  return { products, total: query.offset === 0 ? 0 : await countMatching(db, found) }
}

/**
 * The same in two statements. The statement that finds the page may have to be planned for its
 * values, and stays small for that. The statement that reads the found products is planned once.
 */
async function selectSought(
  db: Db,
  storeId: number,
  { query, found }: { query: ProductQuery; found: Matching },
): Promise<FoundProducts> {
  const page = await sql<{ id: number; total: number }>`${found.planned}
    with ${found.page}
    select g.id, (${found.total}) as total from page g order by g.place`.execute(db)
  const [first] = page.rows
  if (!first) {
    return { products: [], total: query.offset === 0 ? 0 : await countMatching(db, found) }
  }
  const include = query.include ?? []
  const { rows } = await sql<ListedProduct>`
    select ${sql.join([PRODUCT, ...include.map((name) => SECTIONS[name])])}
      from ${productsWith(include)}
      join unnest(${page.rows.map((row) => row.id)}::bigint[]) with ordinality as g(id, place)
        on g.id = p.id
     where p.store_id = ${storeId} and n.store_id = ${storeId}
     order by g.place`.execute(db)
  return { products: rows, total: first.total }
}

async function countMatching(db: Db, { page, total }: Matching): Promise<number> {
  const { rows } = await sql<{ total: number }>`with ${page} select (${total}) as total`.execute(db)
  return rows[0]?.total ?? 0
}

/** Common table expressions that give `page`, with the total, and when the statement is planned. */
interface Matching {
  planned: RawBuilder<unknown>
  /** True if the page is found in a separate statement. */
  apart: boolean
  page: RawBuilder<unknown>
  total: RawBuilder<unknown>
}

const ONCE = sql``
/** A text or a time may match few or many products, which only the values decide. */
const ANEW = sql.raw('-- planned anew')

/**
 * Returns how to find the page and the total. The counters that cover its filters decide how a list
 * is counted.
 */
function matching(storeId: number, query: ProductQuery): Matching {
  const { category_id } = query
  const facets = facetsOf(query)
  const others = filtersOf(storeId, query)
  if (others.length === 0 && category_id === undefined) {
    const total = tallied(storeId, facets)
    return { planned: ONCE, apart: false, page: walk(storeId, query, facets), total }
  }
  if (others.length === 0 && facets.length === 0 && category_id !== undefined) {
    const total = sql`
      select coalesce(sum(c.product_count), 0) from category c
       where c.store_id = ${storeId} and c.id = ${category_id}`
    const page = walk(storeId, query, [inCategory(storeId, category_id)])
    return { planned: ONCE, apart: false, page, total }
  }
  const all = [...facets, ...others]
  if (category_id !== undefined) all.push(inCategory(storeId, category_id))
  return counted(storeId, query, all)
}

const tallied = (storeId: number, facets: readonly RawBuilder<unknown>[]) => sql`
  select coalesce(sum(p.products), 0) from product_tally p
   where ${sql.join([sql`p.store_id = ${storeId}`, ...facets], sql` and `)}`

/** Finds the page by reading candidates in sort order until it is full. */
const walk = (storeId: number, query: ProductQuery, filters: readonly RawBuilder<unknown>[]) => sql`
  page as materialized (
    select f.id, ${placeOf(query)}
      from (${ordered(query, candidates(storeId, query, filters))}) f
  )`

/**
 * Finds the page if no counter has the total. The matches are read first; if there are few, the
 * page is cut from them. Many matches are not counted to the end, and the page is then soon full.
 */
function counted(
  storeId: number,
  query: ProductQuery,
  filters: readonly RawBuilder<unknown>[],
): Matching {
  const most = countedTo(query)
  const from = candidates(storeId, query, filters)
  const page = sql`
    matched as materialized (${from} limit ${most}),
    counted as materialized (select count(*) as total from matched),
    page as materialized (
      select f.id, ${placeOf(query)}
        from ((${ordered(
          query,
          sql`
                 select m.id, m.key from matched m
                  where (select total from counted) < ${most}`,
        )})
               union all
              (${ordered(
                query,
                sql`
                 ${from} and (select total from counted) >= ${most}`,
              )})) f
    )`
  return {
    planned: isTextOnly(query) ? ONCE : ANEW,
    apart: true,
    page,
    total: sql`select total from counted`,
  }
}

/**
 * Returns true if a text is the only filter without a counter. A text has its own index, however
 * many products match, so one plan serves all texts.
 */
const isTextOnly = ({
  search,
  created_from,
  created_to,
  group_id,
  in_stock,
}: ProductQuery): boolean =>
  search !== undefined &&
  [created_from, created_to, group_id, in_stock].every((item) => item === undefined)

/** The products that match, with the value that they are sorted by. */
const candidates = (
  storeId: number,
  query: ProductQuery,
  filters: readonly RawBuilder<unknown>[],
) => {
  const stocked = sortOf(query) === 'sales_count' || query.in_stock !== undefined
  return sql`
    select p.id, ${SORTED_BY[sortOf(query)]} as key
      from product p
           ${stocked ? sql`join product_stock n on n.store_id = ${storeId} and n.product_id = p.id` : sql``}
     where ${sql.join([sql`p.store_id = ${storeId} and p.deleted_at is null`, ...filters], sql` and `)}`
}

/**
 * The length of the page is a literal of the statement. A plan for any length expects a tenth of
 * the table and is never kept, and planning costs more than the page.
 */
function ordered(query: ProductQuery, from: RawBuilder<unknown>) {
  const { limit, offset } = query
  const direction = directionOf(query)
  return sql`
    ${from} order by key ${direction}, id ${direction}
     limit ${sql.lit(limit)} ${offset === 0 ? sql`` : sql`offset ${offset}`}`
}

function placeOf(query: ProductQuery) {
  const direction = directionOf(query)
  return sql`row_number() over (order by f.key ${direction}, f.id ${direction}) as place`
}

const directionOf = ({ sort }: ProductQuery) => (sort.startsWith('-') ? sql`desc` : sql`asc`)

const sortOf = ({ sort }: ProductQuery) => sort.replace('-', '') as Sort

/**
 * Conditions on the columns that `product_tally` counts by. Their values are literals of the
 * statement: there are few, and the plan that is kept then knows how many products match.
 */
function facetsOf(query: ProductQuery): RawBuilder<unknown>[] {
  return [
    among('p.status', query.status),
    among('p.visibility', query.visibility),
    among('p.type', query.type),
    among('p.product_kind', query.product_kind),
    query.active === undefined ? undefined : sql`p.active = ${sql.lit(query.active)}`,
  ].filter((item) => item !== undefined)
}

/** Conditions that no counter covers. */
function filtersOf(storeId: number, query: ProductQuery): RawBuilder<unknown>[] {
  const { group_id, search, created_from, created_to, in_stock } = query
  return [
    in_stock === undefined ? undefined : sql`n.in_stock = ${sql.lit(in_stock)}`,
    group_id === undefined
      ? undefined
      : sql`
        p.id in (select g.product_id from grouped_product g
                  where g.store_id = ${storeId} and g.group_id = ${group_id})`,
    search ? containing(storeId, search) : undefined,
    created_from === undefined ? undefined : sql`p.created_at >= ${created_from}`,
    created_to === undefined ? undefined : sql`p.created_at < ${created_to}`,
  ].filter((item) => item !== undefined)
}

const inCategory = (storeId: number, id: number) => sql`
  p.id in (select l.product_id from product_category l
            where l.store_id = ${storeId} and l.category_id = ${id})`

/**
 * The index finds the products that have all runs of characters of the text; the comparison keeps
 * those that have them in a row. A single character has no run: a search for no runs would find
 * every product of every store.
 */
function containing(storeId: number, search: string) {
  const like = `%${search.replace(/[\\%_]/g, '\\$&')}%`
  const { length } = [...search]
  // The planner takes no values from subqueries, so it does not plan anew for each value.
  const grams = sql`(select grams(${storeId}::bigint, ${search}, ${length < 3 ? '{2}' : '{3}'}))`
  const text = sql`(select lower(${like}))`
  return sql`
    ${length === 1 ? sql`` : sql`p.grams @> ${grams} and`}
    (lower(p.name) like ${text} or p.slug like ${text} or lower(p.sku) like ${text})`
}
