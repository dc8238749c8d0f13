import { type RawBuilder, sql } from 'kysely'
import { createdWithin } from '../../../../db/created.ts'
import type { Db } from '../../../../db/database.ts'
import { isOneOf } from '../../../../db/one-of.ts'
import { onlyValue, REPLANNED } from '../../../../db/rows.ts'
import { containsPattern, fold } from '../../../../kernel/fold.ts'
import { countLimit } from '../../../../kernel/page.ts'
import type { ListedProduct, ProductQuery } from '../schema.ts'
import { PRODUCT, productsWith, SECTIONS } from './sections.ts'

type Sort = Exclude<ProductQuery['sort'], `-${string}`>

const SORT_COLUMNS: Record<Sort, RawBuilder<unknown>> = {
  created_at: sql`p.created_at`,
  // An index has this expression.
  name: sql`lower(p.name) collate name_order`,
  price_cents: sql`p.price_cents`,
  sales_count: sql`ps.sold`,
}

interface ProductPage {
  products: ListedProduct[]
  total: number
}

/**
 * Returns a page of products and the total of matches, in one statement. The ids of the page are
 * selected first, so that sections are read for its products only. A page past the end has no row
 * with the total, so a second statement reads it.
 */
export async function selectProducts(
  db: Db,
  storeId: number,
  query: ProductQuery,
): Promise<ProductPage> {
  const sqlParts = pageSql(storeId, query)
  if (sqlParts.isSeparate) return selectInTwoSteps(db, storeId, { query, sqlParts })
  const includedSections = query.include ?? []
  const { rows } = await sql<ListedProduct & { total: number }>`${sqlParts.planHint}
    with ${sqlParts.page}
    select (${sqlParts.total}) as total,
           ${sql.join([PRODUCT, ...includedSections.map((name) => SECTIONS[name])])}
      from ${productsWith(includedSections)}
      join page on page.id = p.id
     where p.store_id = ${storeId} and ps.store_id = ${storeId}
     order by page.position`.execute(db)
  const products = rows.map(({ total, ...product }) => product)
  const [first] = rows
  if (first) return { products, total: first.total }
  return { products, total: query.offset === 0 ? 0 : await selectTotal(db, sqlParts) }
}

/**
 * Returns the page in two statements. The first may be planned for each call, so it is small. The
 * second reads the products of the page, and is planned once.
 */
async function selectInTwoSteps(
  db: Db,
  storeId: number,
  { query, sqlParts }: { query: ProductQuery; sqlParts: PageSql },
): Promise<ProductPage> {
  const page = await sql<{ id: number; total: number }>`${sqlParts.planHint}
    with ${sqlParts.page}
    select page.id, (${sqlParts.total}) as total from page order by page.position`.execute(db)
  const [first] = page.rows
  if (!first) {
    return { products: [], total: query.offset === 0 ? 0 : await selectTotal(db, sqlParts) }
  }
  const includedSections = query.include ?? []
  const { rows } = await sql<ListedProduct>`
    select ${sql.join([PRODUCT, ...includedSections.map((name) => SECTIONS[name])])}
      from ${productsWith(includedSections)}
      join unnest(${page.rows.map((row) => row.id)}::bigint[]) with ordinality as page(id, position)
        on page.id = p.id
     where p.store_id = ${storeId} and ps.store_id = ${storeId}
     order by page.position`.execute(db)
  return { products: rows, total: first.total }
}

const selectTotal = (db: Db, { page, total }: PageSql) =>
  onlyValue<number>(db)`with ${page} select (${total}) as total`

/** The parts of the SQL that selects a page. */
interface PageSql {
  planHint: RawBuilder<unknown>
  /** True if the page is selected in a separate statement. */
  isSeparate: boolean
  /** The CTE `page`, and the CTEs that it needs. */
  page: RawBuilder<unknown>
  /** A subquery. */
  total: RawBuilder<unknown>
}

const NO_COMMENT = sql``

/** Returns the SQL for a page. The total comes from a counter if there is one for the filters. */
function pageSql(storeId: number, query: ProductQuery): PageSql {
  const { category_id } = query
  const facets = facetsOf(query)
  const otherFilters = filtersOf(storeId, query)
  if (otherFilters.length === 0 && category_id === undefined) {
    const total = tallyTotal(storeId, facets)
    return {
      planHint: NO_COMMENT,
      isSeparate: false,
      page: scanPage(storeId, query, facets),
      total,
    }
  }
  if (otherFilters.length === 0 && facets.length === 0 && category_id !== undefined) {
    const total = sql`
      select coalesce(sum(c.product_count), 0) from category c
       where c.store_id = ${storeId} and c.id = ${category_id}`
    const page = scanPage(storeId, query, [inCategory(storeId, category_id)])
    // A category has few or many products.
    return { planHint: REPLANNED, isSeparate: false, page, total }
  }
  const allFilters = [...facets, ...otherFilters]
  if (category_id !== undefined) allFilters.push(inCategory(storeId, category_id))
  return countedPage(storeId, query, allFilters)
}

const tallyTotal = (storeId: number, facets: readonly RawBuilder<unknown>[]) => sql`
  select coalesce(sum(p.products), 0) from product_tally p
   where ${sql.join([sql`p.store_id = ${storeId}`, ...facets], sql` and `)}`

/** Selects the page by reading candidates in sort order until the page is full. */
const scanPage = (
  storeId: number,
  query: ProductQuery,
  filters: readonly RawBuilder<unknown>[],
) => sql`
  page as materialized (
    select f.id, ${positionOf(query)}
      from (${sortedPage(query, candidateRows(storeId, query, filters))}) f
  )`

/**
 * Selects the page if no counter has the total. The matches are read first, up to a limit. If there
 * are fewer, the page is selected from them. If there are more, reading candidates in sort order fills
 * the page soon.
 */
function countedPage(
  storeId: number,
  query: ProductQuery,
  filters: readonly RawBuilder<unknown>[],
): PageSql {
  const countMax = countLimit(query)
  const candidates = candidateRows(storeId, query, filters)
  const page = sql`
    matched as materialized (${candidates} limit ${countMax}),
    counted as materialized (select count(*) as total from matched),
    page as materialized (
      select f.id, ${positionOf(query)}
        from ((${sortedPage(
          query,
          sql`
                 select m.id, m.key from matched m
                  where (select total from counted) < ${countMax}`,
        )})
               union all
              (${sortedPage(
                query,
                sql`
                 ${candidates} and (select total from counted) >= ${countMax}`,
              )})) f
    )`
  return {
    // A time range matches few or many products.
    planHint: isTextOnly(query) ? NO_COMMENT : REPLANNED,
    isSeparate: true,
    page,
    total: sql`select total from counted`,
  }
}

/**
 * Returns true if a text is the only filter without a counter. One plan is good for all texts, because
 * the index of texts is used however many products match.
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

/** Returns the SQL for the products that match, with the value that they are sorted by. */
const candidateRows = (
  storeId: number,
  query: ProductQuery,
  filters: readonly RawBuilder<unknown>[],
) => {
  const needsCounters = sortOf(query) === 'sales_count' || query.in_stock !== undefined
  return sql`
    select p.id, ${SORT_COLUMNS[sortOf(query)]} as key
      from product p
           ${needsCounters ? sql`join product_stock ps on ps.store_id = ${storeId} and ps.product_id = p.id` : sql``}
     where ${sql.join([sql`p.store_id = ${storeId} and p.deleted_at is null`, ...filters], sql` and `)}`
}

/**
 * Sorts and limits candidates. The limit is a literal, because a statement with a limit as a parameter is planned in each
 * call (decision 67). Planning takes longer than reading the page.
 */
function sortedPage(query: ProductQuery, candidates: RawBuilder<unknown>) {
  const { limit, offset } = query
  const direction = directionOf(query)
  return sql`
    ${candidates} order by key ${direction}, id ${direction}
     limit ${sql.lit(limit)} ${offset === 0 ? sql`` : sql`offset ${offset}`}`
}

function positionOf(query: ProductQuery) {
  const direction = directionOf(query)
  return sql`row_number() over (order by f.key ${direction}, f.id ${direction}) as position`
}

const directionOf = ({ sort }: ProductQuery) => (sort.startsWith('-') ? sql`desc` : sql`asc`)

const sortOf = ({ sort }: ProductQuery) => sort.replace('-', '') as Sort

/**
 * Returns the conditions on the columns that `product_tally` counts by. Their values are literals:
 * there are few different ones, and each gets a plan for the number of its products.
 */
function facetsOf(query: ProductQuery): RawBuilder<unknown>[] {
  return [
    isOneOf('p.status', query.status),
    isOneOf('p.visibility', query.visibility),
    isOneOf('p.type', query.type),
    isOneOf('p.product_kind', query.product_kind),
    query.active === undefined ? undefined : sql`p.active = ${sql.lit(query.active)}`,
  ].filter((item) => item !== undefined)
}

/** Returns the conditions for which there is no counter. */
function filtersOf(storeId: number, query: ProductQuery): RawBuilder<unknown>[] {
  const { group_id, search, in_stock } = query
  return [
    in_stock === undefined ? undefined : sql`ps.in_stock = ${sql.lit(in_stock)}`,
    group_id === undefined
      ? undefined
      : sql`
        p.id in (select g.product_id from grouped_product g
                  where g.store_id = ${storeId} and g.group_id = ${group_id})`,
    search ? containsText(storeId, search) : undefined,
    ...createdWithin('p.created_at', query),
  ].filter((item) => item !== undefined)
}

const inCategory = (storeId: number, id: number) => sql`
  p.id in (select pc.product_id from product_category pc
            where pc.store_id = ${storeId} and pc.category_id = ${id})`

/**
 * Returns the condition that a product contains a text. The index of `grams` (runs of two or three
 * characters) finds the products that contain all grams of the text, and `like` checks their sequence.
 * The index cannot look up a single character, so only `like` is used for one.
 */
function containsText(storeId: number, search: string) {
  const text = fold(search)
  const { length } = [...text]
  const grams = sql`grams(${storeId}::bigint, ${text}, ${length < 3 ? '{2}' : '{3}'})`
  return sql`
    ${length === 1 ? sql`` : sql`p.grams @> ${grams} and`}
    coalesce(p.folded, lower(p.name || chr(10) || p.slug || chr(10) || coalesce(p.sku, ''))) like ${containsPattern(search)}`
}
