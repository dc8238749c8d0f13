import { sql } from 'kysely'
import { afterAll, beforeAll, test } from 'vitest'
import { expectAllOrNothing } from '../../../../test/broken-calls.ts'
import { order, product } from '../../../../test/build.ts'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'

/** A call whose database fails at any of its statements leaves everything behind or nothing. */

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

const REQUEST = { amount_cents: 1_000, method: 'bank_transfer', address: 'GB29NWBK60161331926819' }

/** Everything that a step of a withdrawal may change. */
async function state() {
  const { rows } = await sql`
    select (select json_agg(w order by store_id) from wallet w) as wallets,
           (select count(*) from wallet_delta) as deltas,
           (select json_agg(w order by store_id, id) from withdrawal w) as withdrawals,
           (select count(*) from event where type = 'withdrawal.completed') as events,
           (select count(*) from audit_event where object = 'withdrawal') as audited`.execute(
    tradepost.db,
  )
  return rows[0]
}

const ON = '/account/withdrawals'
test.each([
  ['request', undefined, REQUEST],
  ['complete', 'complete', { reference: 'T' }],
  ['failure', 'fail', { reason: 'No.' }],
  ['cancellation', 'cancel', undefined],
])(
  'a %s that fails at its n-th statement changes nothing, for every n, and works when it is repeated',
  async (_, step, body) => {
    const { id: service } = await product(tradepost, { type: 'service', price_cents: 10_000 })
    await order(tradepost, service, { mark_paid: true })
    const { withdrawal }: Json = step ? (await tradepost.post(ON, REQUEST)).json : {}
    const path = step ? `${ON}/${withdrawal.id}/${step}` : ON
    await expectAllOrNothing(tradepost, { path, body, state, least: 3 })
  },
)
