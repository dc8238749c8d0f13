import type { Db } from '../../../db/database.ts'
import * as q from './queries/report.ts'
import { highest, isDecided, type Ranked, TOP } from './sales.rules.ts'
import type { TopCustomer, TopProduct } from './schema.ts'

/** The first page of a ranking, and the largest. Each is ten times the one before. */
const PAGE_MIN = 10
const PAGE_MAX = 1_000

type Page<Row> = (page: { after: q.Cursor | undefined; limit: number }) => Promise<Row[]>

/**
 * Reads candidates by their falling bounds until no later one can be among the first. `extra` is added to
 * each bound. Returns undefined if `candidates_max` candidates do not decide it.
 */
async function rank<Row extends Ranked>(
  read: Page<Row>,
  { found = [], extra = 0, candidates_max = Number.POSITIVE_INFINITY }: Ranking<Row>,
) {
  let after: q.Cursor | undefined
  let limit = PAGE_MIN
  for (let candidates = 0; candidates < candidates_max; candidates += limit) {
    if (after) limit = Math.min(PAGE_MAX, limit * 10)
    const rows = await read({ after, limit })
    found.push(...rows)
    const last = rows.at(-1)
    if (!last || rows.length < limit || isDecided(found, last.bound + extra)) return highest(found)
    after = last
  }
  return undefined
}

interface Ranking<Row> {
  found?: Row[]
  extra?: number
  candidates_max?: number
}

interface RankedProduct extends Ranked {
  units: number
}

/** The products with the highest gross of a span. */
export async function topProducts(db: Db, span: q.Span): Promise<TopProduct[]> {
  const pending = new Map(
    (await q.selectPendingProducts(db, span)).map((product) => [product.id, product]),
  )
  const extra = Math.max(0, ...[...pending.values()].map(({ pending_cents }) => pending_cents))
  const unlisted = [...pending.values()]
    .filter(({ listed }) => !listed)
    .map(({ id, units, gross_cents }) => ({ id, units, value: gross_cents, bound: gross_cents }))
  const read: Page<RankedProduct> = async (page) =>
    (await q.selectBestProducts(db, span, page)).map(({ id, bound, units, gross_cents }) => ({
      id,
      bound,
      units: units + (pending.get(id)?.units ?? 0),
      value: gross_cents + (pending.get(id)?.gross_cents ?? 0),
    }))
  const top = (await rank(read, { found: unlisted, extra })) ?? []
  const names = await q.selectProductNames(
    db,
    span.storeId,
    top.map(({ id }) => id),
  )
  return top.flatMap(({ id, units, value }) => {
    const product = names.find((item) => item.id === id)
    if (!product) return []
    const { product_id, name } = product
    return [{ product_id, name, units_sold: units, gross_cents: value }]
  })
}

/** One customer is tried for so many orders of a span: a small part of the time that reading these takes. */
const ORDERS_OF_CANDIDATE = 1_000

/**
 * The customers who spent most in a span. If few of those who spent most ever do not decide the ranking, all
 * orders of the span are read (decision 323).
 */
export async function topCustomers(
  db: Db,
  span: q.Span,
  ordersCount: number,
): Promise<TopCustomer[]> {
  const read: Page<Ranked & q.CustomerSales> = async (page) =>
    (await q.selectBestCustomers(db, span, page)).map((row) => ({ ...row, value: row.spent_cents }))
  const found: (Ranked & q.CustomerSales)[] = []
  const candidates_max = ordersCount / ORDERS_OF_CANDIDATE
  const decided = await rank(read, { found, candidates_max })
  const least = highest(found)[TOP - 1]?.value ?? 1
  const top = decided ?? (await q.selectSpenders(db, span, { least, limit: TOP }))
  return top.map(({ id, email, name, orders, spent_cents }) => ({
    customer_id: id,
    email,
    name,
    orders_count: orders,
    spent_cents,
  }))
}
