import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addKeys, type CreatedProduct, order, product } from '../../../../test/build.ts'
import { expectSuccess, openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { sendAlertsJob } from '../stock/index.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())
beforeEach(async () => {
  await sql`delete from mail`.execute(tradepost.db)
})

/** Runs the job until no product is due. */
async function runAlerts(): Promise<void> {
  while (await sendAlertsJob.run(tradepost.app));
}

const ADDRESSES = 2_500
/** Creates sign-ups for several batches. Half of the addresses also sign up for the variant. */
async function signUpMany(game: CreatedProduct): Promise<void> {
  await sql`
    insert into stock_alert (store_id, product_id, variant_id, email, status, created_at)
    select product.store_id, product.id, target.variant_id, 'crowd' || n || '@example.com', 'pending',
           product.created_at
      from product
     cross join generate_series(1, ${ADDRESSES}) n
      join (values (null::bigint), (${game.variantId}::bigint)) target(variant_id)
        on target.variant_id is null or n % 2 = 0
     where product.hash_id = ${game.id}`.execute(tradepost.db)
}
/** Counts the mails, their different recipients, and the pending sign-ups. */
const countMails = async (game: CreatedProduct) => {
  const { rows } = await sql<{ mails: number; recipients: number; pending: number }>`
    select (select count(*) from stock_alert
             where product_id = product.id and status = 'pending') as pending,
           count(mail.id) as mails, count(distinct mail.recipient) as recipients
      from product
      left join mail on mail.store_id = product.store_id and mail.recipient like 'crowd%'
     where product.hash_id = ${game.id}
     group by product.store_id, product.id`.execute(tradepost.db)
  return rows[0]
}

describe('many sign-ups for a product', () => {
  test('are mailed in batches by the job, and not by the call that restocks the product', async () => {
    const game = await product(tradepost)
    await signUpMany(game)
    await addKeys(tradepost, game, ['ALERT-CROWD-0001'])
    expect(await countMails(game)).toEqual({ mails: 0, recipients: 0, pending: 1.5 * ADDRESSES })
    expect(await sendAlertsJob.run(tradepost.app)).toBe(true)
    const { mails = 0 } = (await countMails(game)) ?? {}
    expect(mails).toBeGreaterThan(0)
    expect(mails).toBeLessThanOrEqual(1_000)
    await runAlerts()
    expect(await countMails(game)).toEqual({ mails: ADDRESSES, recipients: ADDRESSES, pending: 0 })
  })

  test('stay pending if the stock is sold out before their batch', async () => {
    const game = await product(tradepost)
    await signUpMany(game)
    await addKeys(tradepost, game, ['ALERT-CROWD-0002'])
    await sendAlertsJob.run(tradepost.app)
    const { mails } = (await countMails(game)) ?? {}
    await order(tradepost, game.id, { mark_paid: true })
    await runAlerts()
    expect((await countMails(game))?.mails).toBe(mails)
    await addKeys(tradepost, game, ['ALERT-CROWD-0003'])
    await runAlerts()
    expect(await countMails(game)).toEqual({ mails: ADDRESSES, recipients: ADDRESSES, pending: 0 })
  })

  test('are deleted in batches after their product', async () => {
    const game = await product(tradepost)
    await signUpMany(game)
    await expectSuccess(tradepost.delete(`/products/${game.id}`))
    await sendAlertsJob.run(tradepost.app)
    expect((await countMails(game))?.pending).toBeGreaterThan(0)
    await runAlerts()
    expect(await countMails(game)).toEqual({ mails: 0, recipients: 0, pending: 0 })
  })
})
