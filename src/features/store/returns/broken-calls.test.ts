import { sql } from 'kysely'
import { afterAll, beforeAll, test } from 'vitest'
import { expectAllOrNothing } from '../../../../test/broken-calls.ts'
import { order, product } from '../../../../test/build.ts'
import { expectSuccess, openTradepost, type Tradepost } from '../../../../test/harness.ts'

// A call during which the database fails at any statement changes everything or nothing.

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

/** Creates a paid order of one of two mugs. */
async function createPaidOrder(): Promise<{ orderId: string; itemId: number; variantId: number }> {
  const { id: productId, variantId } = await product(tradepost, { type: 'physical' })
  const path = `/products/${productId}/variants/${variantId}/stock`
  await expectSuccess(tradepost.patch(path, { quantity: 2 }))
  const paidOrder = await order(tradepost, productId, { mark_paid: true })
  return { orderId: paidOrder.id, itemId: paidOrder.items[0].id, variantId }
}

async function requestReturn(): Promise<{ id: number; orderId: string; variantId: number }> {
  const { orderId, itemId, variantId } = await createPaidOrder()
  const items = [{ order_item_id: itemId, quantity: 1 }]
  const json = await expectSuccess(tradepost.post('/returns', { order_id: orderId, items }))
  return { id: json.return.id, orderId, variantId }
}

/** Returns all records that a step of a return can change. */
async function readReturn({ id, orderId, variantId }: Awaited<ReturnType<typeof requestReturn>>) {
  const { rows } = await sql`
    select r.status, r.refund_id, r.approved_at, r.received_at, r.closed_at,
           return_item.received_quantity, order_item.restocked, stock.on_hand, o.refunded_cents,
           o.status as order_status,
           (select count(*) from refund where store_id = r.store_id and order_id = r.order_id) as refunds,
           (select count(*) from event where type in ('order.refunded', 'product.restocked')) as events,
           (select count(*) from audit_event where action like 'return.%') as audit_events
      from order_return r
      join order_return_item return_item
        on return_item.store_id = r.store_id and return_item.return_id = r.id
      join order_item
        on order_item.store_id = r.store_id and order_item.id = return_item.order_item_id
      join "order" o on o.store_id = r.store_id and o.id = ${orderId}
      join stock on stock.store_id = r.store_id and stock.variant_id = ${variantId}
     where r.id = ${id}`.execute(tradepost.db)
  return rows[0]
}

test.each([
  ['approve', [], {}],
  ['reject', [], { note: 'Worn.' }],
  ['cancel', [], {}],
  ['receive', ['approve'], {}],
  ['refund', ['approve', 'receive'], {}],
])(
  'a failure at the n-th statement of a call to %s a return changes nothing, for every n, and a repeat succeeds',
  async (step, earlierSteps, body) => {
    const requestedReturn = await requestReturn()
    const path = `/returns/${requestedReturn.id}`
    for (const name of earlierSteps) await expectSuccess(tradepost.post(`${path}/${name}`))
    const minStatements = step === 'receive' || step === 'refund' ? 8 : 5
    const readState = () => readReturn(requestedReturn)
    await expectAllOrNothing(tradepost, { path: `${path}/${step}`, body, readState, minStatements })
  },
)

test('a failure at the n-th statement of a request for a return changes nothing, for every n, and a repeat succeeds', async () => {
  const { orderId, itemId } = await createPaidOrder()
  const readState = async () => {
    const { rows } = await sql`
      select (select json_agg(json_build_array(id, status) order by id) from order_return) as returns,
             (select count(*) from order_return_item) as items,
             (select sum(last_number) from return_counter) as numbers,
             (select count(*) from audit_event where action like 'return%') as audit_events`.execute(
      tradepost.db,
    )
    return rows[0]
  }
  const body = { order_id: orderId, items: [{ order_item_id: itemId, quantity: 1 }] }
  await expectAllOrNothing(tradepost, { path: '/returns', body, readState, minStatements: 4 })
})
