import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { order, product } from '../../../../test/build.ts'
import { openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { diagnose } from '../../installation/doctor/index.ts'

/** A call whose database fails at any of its statements leaves everything behind or nothing. */

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

const STATEMENTS_MAX = 80

/** The undamaged mug and the ids of a return that was approved. */
async function approved(): Promise<{ id: number; orderId: string; variantId: number }> {
  const { id: productId, variantId } = await product(tradepost, { type: 'physical' })
  const path = `/products/${productId}/variants/${variantId}/stock`
  await tradepost.patch(path, { quantity: 2 })
  const sale = await order(tradepost, productId, { mark_paid: true })
  const items = [{ order_item_id: sale.items[0].id, quantity: 1 }]
  const { json } = await tradepost.post('/returns', { order_id: sale.id, items })
  await tradepost.post(`/returns/${json.return.id}/approve`)
  return { id: json.return.id, orderId: sale.id, variantId }
}

/** Everything that a step of a return may change. */
async function state({ id, orderId, variantId }: Awaited<ReturnType<typeof approved>>) {
  const { rows } = await sql`
    select r.status, r.refund_id, i.received_quantity, l.restocked, s.on_hand, o.refunded_cents,
           o.status as order_status,
           (select count(*) from refund f where f.store_id = r.store_id and f.order_id = r.order_id) as refunds,
           (select count(*) from event e where e.type in ('order.refunded', 'product.restocked')) as events,
           (select count(*) from audit_event a
             where a.action in ('return.receive', 'return.refund')) as audited
      from order_return r
      join order_return_item i on i.store_id = r.store_id and i.return_id = r.id
      join order_item l on l.store_id = r.store_id and l.id = i.order_item_id
      join "order" o on o.store_id = r.store_id and o.id = r.order_id and o.id = ${orderId}
      join stock s on s.store_id = r.store_id and s.variant_id = ${variantId}
     where r.id = ${id}`.execute(tradepost.db)
  return rows[0]
}

test.each(['receive', 'refund'])(
  'a %s that fails at its n-th statement changes nothing, for every n, and works when it is repeated',
  async (name) => {
    const back = await approved()
    const path = `/returns/${back.id}`
    if (name === 'refund') await tradepost.post(`${path}/receive`)
    const before = await state(back)
    let broken = 0
    for (let n = 1; n <= STATEMENTS_MAX; n++) {
      const { answer, failed } = await tradepost.failing(n, () =>
        tradepost.post(`${path}/${name}`, {}),
      )
      if (!failed) {
        expect(answer.status, answer.text).toBe(200)
        break
      }
      broken += 1
      expect(answer.status, `statement ${n}`).toBeGreaterThanOrEqual(500)
      expect(await state(back), `statement ${n}`).toEqual(before)
    }
    expect(broken).toBeGreaterThan(8)
    expect(broken).toBeLessThan(STATEMENTS_MAX)
    expect(await state(back)).not.toEqual(before)
    const { findings } = await diagnose(tradepost.db)
    expect(findings.filter(({ ok, check }) => !ok && check !== 'durable_commits')).toEqual([])
  },
)
