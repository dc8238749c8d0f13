import { sql } from 'kysely'
import { afterAll, beforeAll, test } from 'vitest'
import { expectAllOrNothing } from '../../../../test/broken-calls.ts'
import { order, product } from '../../../../test/build.ts'
import { openTradepost, type Tradepost } from '../../../../test/harness.ts'

/** A call whose database fails at any of its statements changes everything or nothing. */

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

/** The undamaged mug and the ids of a return that was requested. */
async function requested(): Promise<{ id: number; orderId: string; variantId: number }> {
  const { id: productId, variantId } = await product(tradepost, { type: 'physical' })
  const path = `/products/${productId}/variants/${variantId}/stock`
  await tradepost.patch(path, { quantity: 2 })
  const sale = await order(tradepost, productId, { mark_paid: true })
  const items = [{ order_item_id: sale.items[0].id, quantity: 1 }]
  const { json } = await tradepost.post('/returns', { order_id: sale.id, items })
  return { id: json.return.id, orderId: sale.id, variantId }
}

/** Everything that a step of a return may change. */
async function state({ id, orderId, variantId }: Awaited<ReturnType<typeof requested>>) {
  const { rows } = await sql`
    select r.status, r.refund_id, r.approved_at, r.received_at, r.closed_at, i.received_quantity, l.restocked, s.on_hand, o.refunded_cents,
           o.status as order_status,
           (select count(*) from refund f where f.store_id = r.store_id and f.order_id = r.order_id) as refunds,
           (select count(*) from event e where e.type in ('order.refunded', 'product.restocked')) as events,
           (select count(*) from audit_event a
             where a.action like 'return.%') as audited
      from order_return r
      join order_return_item i on i.store_id = r.store_id and i.return_id = r.id
      join order_item l on l.store_id = r.store_id and l.id = i.order_item_id
      join "order" o on o.store_id = r.store_id and o.id = r.order_id and o.id = ${orderId}
      join stock s on s.store_id = r.store_id and s.variant_id = ${variantId}
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
  'a call to %s a return that fails at its n-th statement changes nothing, for every n, and works when it is repeated',
  async (step, earlier, body) => {
    const back = await requested()
    const path = `/returns/${back.id}`
    for (const name of earlier) await tradepost.post(`${path}/${name}`)
    const least = step === 'receive' || step === 'refund' ? 8 : 5
    const call = { path: `${path}/${step}`, body, least }
    await expectAllOrNothing(tradepost, { ...call, state: () => state(back) })
  },
)
