import { expect, test } from 'vitest'
import { readPartnerTotals } from '../../src/features/store/affiliates/change-partners.ts'
import type { ServedStore } from '../concurrency/open-served-database.ts'
import { call } from '../process/client.ts'
import { bigStore } from './big-store.ts'
import { maxRowsRead, minutesBefore, nodesOf, pagesRead, rowsRead } from './plans.ts'

const ROWS = 50_000
const PAGE = 25
/** The number of pages that a list of a store without partners may read. */
const PAGES_READ_MAX = 40

const enableProgram = async ({ targets: [target] }: ServedStore) => {
  const answer = await call(target, 'PATCH', '/affiliates/program', { body: { enabled: true } })
  expect(answer.status).toBe(200)
}

const tradepost = bigStore(async (store) => {
  await enableProgram(store)
  return partnerStatements(store.storeId)
})

const partnerStatements = (storeId: number) => [
  `insert into affiliate_partner (store_id, id, email, name, status, created_at, updated_at)
   select ${storeId}, 'par_' || lpad(n::text, 22, '0'), 'partner-' || n || '@example.com', 'Partner', 'approved',
          ${minutesBefore(`${ROWS} - n`)}, now()
     from generate_series(1, ${ROWS}) n`,
  'vacuum analyze affiliate_partner',
]

test('a search that finds 50,000 partners computes the balances of its page only', async () => {
  const { json, plans } = await tradepost.explainList(
    `/affiliates/partners?limit=${PAGE}&search=example.com`,
  )
  expect(json.partners).toHaveLength(PAGE)
  const balances = plans
    .flatMap(nodesOf)
    .filter((node) => node['Relation Name'] === 'affiliate_conversion')
  expect(balances.map((node) => node['Actual Loops'])).toEqual([PAGE])
  expect(Math.max(...balances.map(rowsRead))).toBe(0)
})

test('a store without partners reads none of the 50,000 partners of another store', async () => {
  const store = await tradepost.openNext()
  await enableProgram(store)
  const lists = await tradepost.explain(async () => {
    const { status, json } = await call(store.targets[0], 'GET', '/affiliates/conversions')
    expect(status).toBe(200)
    return json
  }, /affiliate_partner/)
  expect(lists.json.counts).toMatchObject({ all: 0 })
  for (const plan of lists.plans) {
    expect(maxRowsRead(plan)).toBeLessThanOrEqual(PAGE)
    expect(pagesRead(plan)).toBeLessThanOrEqual(PAGES_READ_MAX)
  }
})

test('the totals of 50,000 partners read each of them once', async () => {
  const { json, plans } = await tradepost.explain(() => readPartnerTotals(tradepost.contextNow()))
  expect(json).toMatchObject({ partners: ROWS })
  expect(Math.max(...plans.map(maxRowsRead))).toBeLessThanOrEqual(ROWS)
})
