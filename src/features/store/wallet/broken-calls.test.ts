import { sql } from 'kysely'
import { afterAll, beforeAll, test } from 'vitest'
import { expectAllOrNothing } from '../../../../test/broken-calls.ts'
import { order, product } from '../../../../test/build.ts'
import { expectSuccess, openTradepost, type Tradepost } from '../../../../test/harness.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

const REQUEST = { amount_cents: 1_000, method: 'bank_transfer', address: 'GB29NWBK60161331926819' }

/** Returns all records that a step of a withdrawal can change. */
async function readState() {
  const { rows } = await sql`
    select (select json_agg(wallet order by store_id) from wallet) as wallets,
           (select count(*) from wallet_delta) as deltas,
           (select json_agg(withdrawal order by store_id, id) from withdrawal) as withdrawals,
           (select count(*) from event where type = 'withdrawal.completed') as events,
           (select count(*) from audit_event where object = 'withdrawal') as audit_events`.execute(
    tradepost.db,
  )
  return rows[0]
}

const WITHDRAWALS = '/account/withdrawals'
test.each([
  ['request', undefined, REQUEST],
  ['transfer', 'process', { reference: 'T' }],
  ['completion', 'complete', { reference: 'T' }],
  ['failure', 'fail', { reason: 'No.' }],
  ['cancellation', 'cancel', undefined],
])(
  'a failure at the n-th statement of the %s of a withdrawal changes nothing, for every n, and a repeat succeeds',
  async (_, step, body) => {
    const { id: service } = await product(tradepost, { type: 'service', price_cents: 10_000 })
    await order(tradepost, service, { mark_paid: true })
    const { withdrawal } = step ? await expectSuccess(tradepost.post(WITHDRAWALS, REQUEST)) : {}
    const path = step ? `${WITHDRAWALS}/${withdrawal.id}/${step}` : WITHDRAWALS
    await expectAllOrNothing(tradepost, { path, body, readState, minStatements: 3 })
  },
)
