import type { Db } from '../../../db/database.ts'
import { cutSum } from '../../../kernel/sums.ts'
import * as q from './queries/index.ts'
import { highestRanked, isRankingFinal, type RankingCandidate, TOP_COUNT } from './sales.rules.ts'
import type { TopCustomer, TopProduct } from './schema.ts'

/** The sizes of the first and of the largest page of candidates. Each page is ten times the previous one. */
const PAGE_MIN = 10
const PAGE_MAX = 1_000

type ReadCandidates<Row> = (page: { after: q.Cursor | undefined; limit: number }) => Promise<Row[]>

/**
 * Reads candidates in descending order of their bounds until no further one can change the ranking.
 * `bound_margin` is added to each bound. Returns undefined if `candidates_max` candidates do not suffice.
 */
async function rankCandidates<Row extends RankingCandidate>(
  read: ReadCandidates<Row>,
  { candidates = [], bound_margin = 0, candidates_max = Number.POSITIVE_INFINITY }: Ranking<Row>,
) {
  let after: q.Cursor | undefined
  let limit = PAGE_MIN
  for (let readCount = 0; readCount < candidates_max; readCount += limit) {
    if (after) limit = Math.min(PAGE_MAX, limit * 10)
    const rows = await read({ after, limit })
    candidates.push(...rows)
    const last = rows.at(-1)
    if (!last || rows.length < limit || isRankingFinal(candidates, last.bound + bound_margin))
      return highestRanked(candidates)
    after = last
  }
  return undefined
}

interface Ranking<Row> {
  candidates?: Row[]
  bound_margin?: number
  candidates_max?: number
}

interface RankedProduct extends RankingCandidate {
  units: number
}

/** Returns the products with the highest gross in a span. */
export async function topProducts(db: Db, span: q.Span): Promise<TopProduct[]> {
  const pendingSales = new Map(
    (await q.selectPendingProducts(db, span)).map((product) => [product.id, product]),
  )
  const bound_margin = Math.max(
    0,
    ...[...pendingSales.values()].map(({ pending_cents }) => pending_cents),
  )
  const unlistedProducts = [...pendingSales.values()]
    .filter(({ is_listed }) => !is_listed)
    .map(({ id, units, gross_cents }) => ({ id, units, value: gross_cents, bound: gross_cents }))
  const read: ReadCandidates<RankedProduct> = async (page) =>
    (await q.selectBestProducts(db, span, page)).map(({ id, bound, units, gross_cents }) => ({
      id,
      bound,
      units: units + (pendingSales.get(id)?.units ?? 0),
      value: gross_cents + (pendingSales.get(id)?.gross_cents ?? 0),
    }))
  const top = (await rankCandidates(read, { candidates: unlistedProducts, bound_margin })) ?? []
  const names = await q.selectProductNames(
    db,
    span.storeId,
    top.map(({ id }) => id),
  )
  return top.flatMap(({ id, units, value }) => {
    const product = names.find((item) => item.id === id)
    if (!product) return []
    const { product_id, name } = product
    return [{ product_id, name, units_sold: units, gross_cents: cutSum(value) }]
  })
}

/** One candidate is tried for this many orders, so the attempt is much shorter than reading all orders. */
const ORDERS_PER_CANDIDATE = 1_000

/**
 * Returns the customers who spent most in a span. The candidates are the customers with the highest total
 * spending. If a few of them do not decide the ranking, all orders of the span are read.
 */
export async function topCustomers(
  db: Db,
  span: q.Span,
  ordersCount: number,
): Promise<TopCustomer[]> {
  const read: ReadCandidates<RankingCandidate & q.CustomerSales> = async (page) =>
    (await q.selectBestCustomers(db, span, page)).map((row) => ({ ...row, value: row.spent_cents }))
  const candidates: (RankingCandidate & q.CustomerSales)[] = []
  const candidates_max = ordersCount / ORDERS_PER_CANDIDATE
  const ranking = await rankCandidates(read, { candidates, candidates_max })
  const min_cents = highestRanked(candidates)[TOP_COUNT - 1]?.value ?? 1
  const top = ranking ?? (await q.selectSpenders(db, span, { min_cents, limit: TOP_COUNT }))
  return top.map(({ id, email, name, orders, spent_cents }) => ({
    customer_id: id,
    email,
    name,
    orders_count: orders,
    spent_cents,
  }))
}
