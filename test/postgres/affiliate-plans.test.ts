import { expect, test } from 'vitest'
import { readPartnerTotals } from '../../src/features/store/affiliates/change-partners.ts'
import { call } from '../process/client.ts'
import { bigStore } from './big-store.ts'
import { maxRowsRead, nodesOf, rowsRead } from './plans.ts'

const ROWS = 100_000
const ROWS_READ_MAX = 400
/** The limit of counted matches (decision 100), plus the rows that a plan reads ahead. */
const COUNTED_MAX = 10_100
/** The partner of one conversion in ten thousand. As many conversions are flagged, and as many are rejected. */
const RARE_PARTNER = 'par_0000000000000000000002'
const FREQUENT_PARTNER = 'par_0000000000000000000001'
/** The commission of each conversion. */
const COMMISSION_CENTS = 10
/** The number of conversions in the hold period. */
const HELD = 100

let link = ''

const recordStatements = (store: number): string[] => [
  `insert into affiliate_partner (store_id, id, email, status, valid_count, created_at, updated_at)
   select ${store}, id, id || '@example.com', 'approved', count, now(), now()
     from (values ('${FREQUENT_PARTNER}', ${ROWS} - 10), ('${RARE_PARTNER}', 10)) p(id, count)`,
  `insert into affiliate_partner (store_id, id, email, status, created_at, updated_at)
   select ${store}, 'par_linked' || n, n || '@example.com', 'approved', now(), now()
     from generate_series(0, 9) n`,
  `insert into affiliate_link (store_id, code, partner_id, created_at)
   select ${store}, 'code-' || n, 'par_linked' || n % 10, now() from generate_series(1, ${ROWS}) n`,
  `insert into customer (store_id, email, created_at, updated_at)
   values (${store}, 'ada@example.com', now(), now())`,
  `insert into "order" (store_id, id, number, status, fulfillment_status, source, currency,
     subtotal_cents, discount_cents, shipping_cents, total_cents, customer_id, customer_email,
     custom_fields, metadata, status_history, created_at, updated_at)
   select ${store}, 'ord_' || substr(md5(n::text), 1, 22), n, 'paid', 'not_required', 'api', 'EUR',
          n, 0, 0, n, c.id, c.email, '{}', '{}', '[]', now(), now()
     from generate_series(1, ${ROWS}) n
     join customer c on c.store_id = ${store}`,
  'analyze "order"',
  `insert into affiliate_conversion (store_id, order_id, partner_id, link_code, source, status, flags,
     captured_at, paid_at, base_cents, commission_cents, state, available_at)
   select ${store}, o.id, case when o.number % 10000 = 1 then '${RARE_PARTNER}' else '${FREQUENT_PARTNER}' end, 'grace',
          'link', case o.number % 10000 when 2 then 'flagged' when 3 then 'rejected' else 'valid' end,
          '{}', now() - o.number * interval '1 minute', now() - o.number * interval '1 minute',
          ${COMMISSION_CENTS}, case o.number % 10000 when 3 then 0 else ${COMMISSION_CENTS} end,
          case o.number % 10000 when 3 then 'none' else 'pending' end,
          now() + case when o.number <= ${HELD} then interval '1 day' else interval '-1 day' end
     from "order" o where o.store_id = ${store}`,
  `update affiliate_partner p set unpaid_cents = c.unpaid, flagged_cents = c.flagged
     from (select partner_id, sum(commission_cents) filter (where status = 'valid') as unpaid,
                  sum(commission_cents) filter (where status = 'flagged') as flagged
             from affiliate_conversion where store_id = ${store} group by partner_id) c
    where p.store_id = ${store} and p.id = c.partner_id and c.partner_id = '${FREQUENT_PARTNER}'`,
  `insert into affiliate_payout (store_id, partner_id, amount_cents, currency, status, method,
     requested_at)
   select ${store}, case when n % 10000 = 1 then '${RARE_PARTNER}' else '${FREQUENT_PARTNER}' end, 1, 'EUR',
          case when n % 10000 = 2 then 'cancelled' else 'rejected' end, 'bank_transfer', now()
     from generate_series(1, ${ROWS}) n`,
  'vacuum analyze affiliate_partner, affiliate_link, affiliate_conversion, affiliate_payout',
]

const tradepost = bigStore(async ({ storeId, targets: [target] }) => {
  const { json } = await call(target, 'PATCH', '/affiliates/program', { body: { enabled: true } })
  expect(json.program.enabled).toBe(true)
  const { slug } = (await call(target, 'GET', '/account')).json.account.store
  link = `${target.origin}/r/${slug}/code-77`
  return recordStatements(storeId)
})

test.each([
  ['all conversions', '', 25],
  ['flagged conversions', '&status=flagged', 10],
  ['rejected conversions', '&status=rejected', 10],
  ['conversions of a partner with many', `&partner_id=${FREQUENT_PARTNER}`, 25],
  ['conversions of a partner with few', `&partner_id=${RARE_PARTNER}`, 10],
  ['flagged conversions of a partner', `&partner_id=${FREQUENT_PARTNER}&status=flagged`, 10],
  ['flagged conversions of a partner without any', `&partner_id=${RARE_PARTNER}&status=flagged`, 0],
])('the list of %s reads only one page of the 100,000 conversions', async (_, query, length) => {
  const { json, plans } = await tradepost.explainList(`/affiliates/conversions?limit=25${query}`)
  expect(json.conversions).toHaveLength(length)
  expect(plans).toHaveLength(2)
  for (const plan of plans) expect(maxRowsRead(plan)).toBeLessThanOrEqual(ROWS_READ_MAX)
})

test('a later page of the list of conversions reads only its rows', async () => {
  let cursor = ''
  for (let n = 0; n < 20; n++) {
    const { json } = await tradepost.explainList(`/affiliates/conversions?limit=25${cursor}`)
    cursor = `&cursor=${json.next_cursor}`
  }
  const { json, plans } = await tradepost.explainList(`/affiliates/conversions?limit=25${cursor}`)
  expect(json.conversions).toHaveLength(25)
  expect(plans).toHaveLength(3)
  for (const plan of plans) expect(maxRowsRead(plan)).toBeLessThanOrEqual(ROWS_READ_MAX)
})

test.each([
  ['all payouts', '', 25],
  ['cancelled payouts', '&status=cancelled', 10],
  ['payouts of a partner', `&partner_id=${RARE_PARTNER}`, 10],
])('the list of %s reads only one page of the 100,000 payouts', async (_, query, length) => {
  const { json, plans } = await tradepost.explainList(`/affiliates/payouts?limit=25${query}`)
  expect(json.payouts).toHaveLength(length)
  const [page, count] = plans.map(maxRowsRead)
  expect(page).toBeLessThanOrEqual(ROWS_READ_MAX)
  expect(count).toBeLessThanOrEqual(COUNTED_MAX)
})

test('a partner with 100,000 unpaid commissions is read with only the commissions in the hold period', async () => {
  const { json, plans } = await tradepost.explainList(`/affiliates/partners/${FREQUENT_PARTNER}`)
  // One of the hundred conversions in the hold period is of the other partner, one is flagged, one is rejected.
  const held_cents = (HELD - 3) * COMMISSION_CENTS
  const flagged_cents = 10 * COMMISSION_CENTS
  const valid_cents = (ROWS - 30) * COMMISSION_CENTS
  expect(json.partner).toMatchObject({
    available_cents: valid_cents - held_cents,
    pending_cents: held_cents + flagged_cents,
  })
  expect(plans).toHaveLength(1)
  expect(maxRowsRead(plans[0])).toBeLessThanOrEqual(ROWS_READ_MAX)
})

test('the totals of the partners read each partner and each link once, and only commissions in the hold period', async () => {
  const { json, plans } = await tradepost.explain(() => readPartnerTotals(tradepost.contextNow()))
  expect(json).toMatchObject({ partners: 12, links: ROWS })
  expect(plans).toHaveLength(1)
  const rowsReadIn = (table: string) =>
    plans
      .flatMap(nodesOf)
      .filter((node) => node['Relation Name'] === table)
      .map(rowsRead)
  expect(Math.max(...rowsReadIn('affiliate_conversion'))).toBeLessThanOrEqual(HELD)
  expect(Math.max(...rowsReadIn('affiliate_link'))).toBeLessThanOrEqual(ROWS)
  expect(maxRowsRead(plans[0])).toBeLessThanOrEqual(ROWS)
})

test('a click on a link reads only this link, not the 99,999 others', async () => {
  const followLink = async () => (await fetch(link, { redirect: 'manual' })).status
  const { json: status, plans } = await tradepost.explain(followLink, /affiliate_link/)
  expect(status).toBe(302)
  expect(plans).toHaveLength(1)
  expect(maxRowsRead(plans[0])).toBeLessThanOrEqual(ROWS_READ_MAX)
})
