import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addKeys, order, product, type Stocked } from '../../../../test/build.ts'
import { openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { sendAlertsJob } from '../stock/index.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())
beforeEach(async () => {
  await sql`delete from mail`.execute(tradepost.db)
})

async function runAlerts(): Promise<void> {
  while (await sendAlertsJob.run(tradepost.app));
}

const CROWD = 2_500
/** As many sign-ups as would take long; half of them wait for the variant too. */
async function crowd(game: Stocked): Promise<void> {
  await sql`
    insert into stock_alert (store_id, product_id, variant_id, email, status, created_at)
    select p.store_id, p.id, v.id, 'crowd' || n || '@example.com', 'pending', p.created_at
      from product p
     cross join generate_series(1, ${CROWD}) n
      join (values (null::bigint), (${game.variantId}::bigint)) v(id)
        on v.id is null or n % 2 = 0
     where p.hash_id = ${game.id}`.execute(tradepost.db)
}
const written = async (game: Stocked) => {
  const { rows } = await sql<{ mails: number; readers: number; pending: number }>`
    select (select count(*) from stock_alert a
             where a.product_id = p.id and a.status = 'pending') as pending,
           count(m.id) as mails, count(distinct m.recipient) as readers
      from product p
      left join mail m on m.store_id = p.store_id and m.recipient like 'crowd%'
     where p.hash_id = ${game.id}
     group by p.store_id, p.id`.execute(tradepost.db)
  return rows[0]
}

describe('many sign-ups', () => {
  test('are written to in shares, after the call that restocked', async () => {
    const game = await product(tradepost)
    await crowd(game)
    await addKeys(tradepost, game, ['ALERT-CROWD-0001'])
    expect(await written(game)).toEqual({ mails: 0, readers: 0, pending: 1.5 * CROWD })
    expect(await sendAlertsJob.run(tradepost.app)).toBe(true)
    const { mails = 0 } = (await written(game)) ?? {}
    expect(mails).toBeGreaterThan(0)
    expect(mails).toBeLessThanOrEqual(1_000)
    await runAlerts()
    expect(await written(game)).toEqual({ mails: CROWD, readers: CROWD, pending: 0 })
  })

  test('keep waiting where the stock is gone before their share', async () => {
    const game = await product(tradepost)
    await crowd(game)
    await addKeys(tradepost, game, ['ALERT-CROWD-0002'])
    await sendAlertsJob.run(tradepost.app)
    const { mails } = (await written(game)) ?? {}
    await order(tradepost, game.id, { mark_paid: true })
    await runAlerts()
    expect((await written(game))?.mails).toBe(mails)
    await addKeys(tradepost, game, ['ALERT-CROWD-0003'])
    await runAlerts()
    expect(await written(game)).toEqual({ mails: CROWD, readers: CROWD, pending: 0 })
  })

  test('end in shares with the product', async () => {
    const game = await product(tradepost)
    await crowd(game)
    await tradepost.delete(`/products/${game.id}`)
    await sendAlertsJob.run(tradepost.app)
    expect((await written(game))?.pending).toBeGreaterThan(0)
    await runAlerts()
    expect(await written(game)).toEqual({ mails: 0, readers: 0, pending: 0 })
  })
})
