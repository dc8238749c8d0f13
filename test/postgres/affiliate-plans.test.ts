import { expect, test } from 'vitest'
import { call } from '../process/client.ts'
import { bigStore } from './big-store.ts'
import { busiest } from './plans.ts'

/** A page of 100,000 conversions reads its own rows, and so do payouts and the link of a partner. */

const ROWS = 100_000
const READ_MAX = 400
const COUNTED_MAX = 10_100
/** One conversion in ten thousand is of this partner, or is flagged or rejected. */
const RARE = 'par_0000000000000000000002'
const OFTEN = 'par_0000000000000000000001'
/** The commission of each conversion, and how many are still held. */
const EACH = 10
const HELD = 100

let link = ''

const filling = (store: number): string[] => [
  `insert into affiliate_partner (store_id, id, email, status, valid_count, created_at, updated_at)
   select ${store}, id, id || '@example.com', 'approved', count, now(), now()
     from (values ('${OFTEN}', ${ROWS} - 10), ('${RARE}', 10)) p(id, count)`,
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
   select ${store}, o.id, case when o.number % 10000 = 1 then '${RARE}' else '${OFTEN}' end, 'grace',
          'link', case o.number % 10000 when 2 then 'flagged' when 3 then 'rejected' else 'valid' end,
          '{}', now() - o.number * interval '1 minute', now() - o.number * interval '1 minute',
          ${EACH}, case o.number % 10000 when 3 then 0 else ${EACH} end,
          case o.number % 10000 when 3 then 'none' else 'pending' end,
          now() + case when o.number <= ${HELD} then interval '1 day' else interval '-1 day' end
     from "order" o where o.store_id = ${store}`,
  `update affiliate_partner p set unpaid_cents = c.unpaid, flagged_cents = c.flagged
     from (select partner_id, sum(commission_cents) filter (where status = 'valid') as unpaid,
                  sum(commission_cents) filter (where status = 'flagged') as flagged
             from affiliate_conversion where store_id = ${store} group by partner_id) c
    where p.store_id = ${store} and p.id = c.partner_id and c.partner_id = '${OFTEN}'`,
  `insert into affiliate_payout (store_id, partner_id, amount_cents, currency, status, method,
     requested_at)
   select ${store}, case when n % 10000 = 1 then '${RARE}' else '${OFTEN}' end, 1, 'EUR',
          case when n % 10000 = 2 then 'cancelled' else 'rejected' end, 'bank_transfer', now()
     from generate_series(1, ${ROWS}) n`,
  'vacuum analyze affiliate_partner, affiliate_link, affiliate_conversion, affiliate_payout',
]

const tradepost = bigStore(async ({ storeId, targets: [target] }) => {
  const { json } = await call(target, 'PATCH', '/affiliates/program', { body: { enabled: true } })
  expect(json.program.enabled).toBe(true)
  const { slug } = (await call(target, 'GET', '/account')).json.account.store
  link = `${target.origin}/r/${slug}/code-77`
  return filling(storeId)
})

test.each([
  ['all', '', 25],
  ['flagged', '&status=flagged', 10],
  ['rejected', '&status=rejected', 10],
  ["a partner's", `&partner_id=${OFTEN}`, 25],
  ["a partner's few", `&partner_id=${RARE}`, 10],
  ["a partner's flagged", `&partner_id=${OFTEN}&status=flagged`, 10],
  ["a partner's missing", `&partner_id=${RARE}&status=flagged`, 0],
])('the list of %s conversions reads its page only', async (_, query, length) => {
  const { json, plans } = await tradepost.look(`/affiliates/conversions?x=1${query}`)
  expect(json.conversions).toHaveLength(length)
  expect(plans).toHaveLength(2)
  for (const plan of plans) expect(busiest(plan)).toBeLessThanOrEqual(READ_MAX)
})

test('a page far down the list reads its page only', async () => {
  let cursor = ''
  for (let n = 0; n < 20; n++) {
    const { json } = await tradepost.look(`/affiliates/conversions?x=1${cursor}`)
    cursor = `&cursor=${json.next_cursor}`
  }
  const { json, plans } = await tradepost.look(`/affiliates/conversions?x=1${cursor}`)
  expect(json.conversions).toHaveLength(25)
  expect(plans).toHaveLength(3)
  for (const plan of plans) expect(busiest(plan)).toBeLessThanOrEqual(READ_MAX)
})

test.each([
  ['all', '', 25],
  ['cancelled', '&status=cancelled', 10],
  ["a partner's", `&partner_id=${RARE}`, 10],
])('the list of %s payouts reads its page only', async (_, query, length) => {
  const { json, plans } = await tradepost.look(`/affiliates/payouts?limit=25${query}`)
  expect(json.payouts).toHaveLength(length)
  const [page, count] = plans.map(busiest)
  expect(page).toBeLessThanOrEqual(READ_MAX)
  expect(count).toBeLessThanOrEqual(COUNTED_MAX)
})

test('the balance of a partner with 100,000 unpaid commissions reads those that are held', async () => {
  const { json, plans } = await tradepost.look(`/affiliates/partners/${OFTEN}`)
  // One of the first hundred is of the other partner, one is flagged, and one is rejected.
  const held_cents = (HELD - 3) * EACH
  const flagged_cents = 10 * EACH
  const valid_cents = (ROWS - 30) * EACH
  expect(json.partner).toMatchObject({
    available_cents: valid_cents - held_cents,
    pending_cents: held_cents + flagged_cents,
  })
  expect(plans).toHaveLength(1)
  expect(busiest(plans[0])).toBeLessThanOrEqual(READ_MAX)
})

test('a click reads its link only', async () => {
  const visit = async () => (await fetch(link, { redirect: 'manual' })).status
  const { json, plans } = await tradepost.watch(visit, /affiliate_link/)
  expect(json).toBe(302)
  expect(plans).toHaveLength(1)
  expect(busiest(plans[0])).toBeLessThanOrEqual(READ_MAX)
})
