import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addKeys, order, product, type Stocked, zone } from '../../../../test/build.ts'
import { type FakeSmtp, startFakeSmtp } from '../../../../test/fake-smtp.ts'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { sendMailJob } from '../../installation/mail/index.ts'
import { sendAlertsJob } from '../stock/index.ts'

let tradepost: Tradepost
let smtp: FakeSmtp

beforeAll(async () => {
  smtp = await startFakeSmtp()
  tradepost = await openTradepost({ env: { TRADEPOST_SMTP_URL: smtp.url } })
})
afterAll(async () => {
  await tradepost.close()
  await smtp.close()
})
beforeEach(() => {
  smtp.letters.length = 0
})
afterEach(async () => {
  await sql`update mail set status = 'kept' where status = 'queued'`.execute(tradepost.db)
})

const path = ({ id }: Stocked) => `/products/${id}/stock-alerts`
const signUp = async (game: Stocked, email: string, fields: Json = {}) =>
  (await tradepost.post(path(game), { email, ...fields })).json.stock_alert
/** Looks at everything that came back or went since. */
async function runAlerts(): Promise<void> {
  while (await sendAlertsJob.run(tradepost.app));
}
const alerts = async (game: Stocked, query = ''): Promise<Json[]> =>
  (await tradepost.get(`${path(game)}${query}`)).json.stock_alerts

const ADDRESS = { name: 'Ada', line1: 'Street 1', city: 'Berlin', country: 'DE' }
const aRate = async (): Promise<number> => (await zone(tradepost)).rates[0].id

interface MailRow {
  recipient: string
  status: string
  attempts: number
  error: string | null
}
async function mails(game: Stocked): Promise<MailRow[]> {
  await runAlerts()
  const emails = (await alerts(game)).map((item) => item.email)
  const { rows } = await sql<MailRow>`
    select recipient, status, attempts, error from mail
     where recipient = any(${emails}::text[]) order by recipient`.execute(tradepost.db)
  return rows
}

describe('a sign-up', () => {
  test('waits until there is stock, then is mailed once', async () => {
    const game = await product(tradepost, { name: 'Game, "the" <best>' })
    const alert = await signUp(game, 'Ada@Example.com')
    expect(alert).toEqual({
      id: expect.any(Number),
      object: 'stock_alert',
      email: 'ada@example.com',
      variant_id: null,
      status: 'pending',
      notified_at: null,
      created_at: expect.any(String),
    })
    await addKeys(tradepost, game, ['ALERT-ABCD-0001'])
    await runAlerts()
    const [notified] = await alerts(game)
    expect(notified).toMatchObject({ status: 'notified', notified_at: expect.any(String) })
    expect(smtp.letters).toEqual([])
    await sendMailJob.run(tradepost.app)
    expect(smtp.letters).toMatchObject([{ from: 'shop@example.com', to: ['ada@example.com'] }])
    const [letter] = smtp.letters
    expect(letter?.data).toMatch(/^Subject: =\?UTF-8\?Q\?Game=2C_=22the=22/m)
    expect(letter?.data).toContain('\nGame, "the" <best> is in stock again at Here.\n')
    expect(letter?.data).toMatch(/^From: Here <shop@example\.com>$/m)
    expect(letter?.data).toMatch(/^Message-ID: <msg_\w+\.\d+@example\.com>$/m)
    await addKeys(tradepost, game, ['ALERT-ABCD-0002'])
    await runAlerts()
    await sendMailJob.run(tradepost.app)
    expect(smtp.letters).toHaveLength(1)
  })

  test('of one address waits once, and can be made again after its mail', async () => {
    const game = await product(tradepost)
    const first = await signUp(game, 'twice@example.com')
    expect(await signUp(game, 'TWICE@example.com')).toEqual(first)
    await addKeys(tradepost, game, ['ALERT-ABCD-0003'])
    await runAlerts()
    expect((await signUp(game, 'twice@example.com')).id).not.toBe(first.id)
    expect((await alerts(game, '?status=pending')).length).toBe(1)
    expect((await alerts(game)).length).toBe(2)
  })

  test('for one variant is not mailed about another', async () => {
    const variants = [{ name: 'One' }, { name: 'Two' }]
    const game = await product(tradepost, { variants })
    const [one, two] = game.product.variants.map((variant: Json) => variant.id)
    await signUp(game, 'one@example.com', { variant_id: one })
    await signUp(game, 'two@example.com', { variant_id: two })
    await addKeys(tradepost, { id: game.id, variantId: two }, ['ALERT-ABCD-0004'])
    expect((await mails(game)).map((mail) => mail.recipient)).toEqual(['two@example.com'])
  })

  const notified = async (game: Stocked) =>
    (await mails(game)).map(({ recipient }) => recipient.split('@')[0])

  test.each([
    [{ status: 'draft' }, { status: 'active' }],
    [{ status: 'archived' }, { status: 'active' }],
    [{ active: false }, { active: true }],
    [{ visibility: 'on_hold' }, { visibility: 'private' }],
  ])('is mailed about a product with %j when it has stock and is on sale', async (off, on) => {
    const [game, empty] = [await product(tradepost, off), await product(tradepost, off)]
    const [name = '', value] = Object.entries(off)[0] ?? []
    const email = (which: string) => `${name}-${value}-${which}@example.com`
    await signUp(game, email('game'))
    await signUp(empty, email('empty'))
    await addKeys(tradepost, game, [`ALERT-OFF-${name}-${value}`])
    expect(await notified(game)).toEqual([])
    expect(await alerts(game)).toMatchObject([{ status: 'pending', notified_at: null }])
    await tradepost.patch(`/products/${game.id}`, { name: 'Renamed' })
    expect(await notified(game)).toEqual([])
    for (const item of [game, empty]) await tradepost.patch(`/products/${item.id}`, on)
    expect(await notified(game)).toEqual([`${name}-${value}-game`])
    expect(await alerts(game)).toMatchObject([{ status: 'notified' }])
    expect(await alerts(empty)).toMatchObject([{ status: 'pending' }])
    for (const fields of [off, on]) await tradepost.patch(`/products/${game.id}`, fields)
    expect(await notified(game)).toHaveLength(1)
  })

  test('is mailed about a variant when it has stock and is on sale, and not about its sibling', async () => {
    const variants = [{ name: 'One' }, { name: 'Two', active: false }]
    const game = await product(tradepost, { variants }, { keys: ['ALERT-VAR-0001'] })
    const { id: variant_id } = game.product.variants[1]
    await signUp(game, 'off@example.com', { variant_id })
    await addKeys(tradepost, { id: game.id, variantId: variant_id }, ['ALERT-VAR-0002'])
    expect(await notified(game)).toEqual([])
    await tradepost.patch(`/products/${game.id}`, { status: 'draft' })
    await tradepost.patch(`/products/${game.id}`, { status: 'active' })
    expect(await notified(game)).toEqual([])
    await tradepost.patch(`/products/${game.id}/variants/${variant_id}`, { active: true })
    expect(await notified(game)).toEqual(['off'])
  })

  test('is mailed about a product whose stock is not counted', async () => {
    const game = await product(tradepost)
    await signUp(game, 'endless@example.com')
    const url = `/products/${game.id}/variants/${game.variantId}`
    await tradepost.patch(url, { name: 'Renamed' })
    expect(await notified(game)).toEqual([])
    await tradepost.patch(url, { stock_mode: 'unlimited' })
    expect(await notified(game)).toEqual(['endless'])
  })

  test('is not mailed about units that an unpaid order reserves', async () => {
    const game = await product(tradepost, { type: 'physical' })
    const url = `/products/${game.id}/variants/${game.variantId}`
    await tradepost.patch(url, { allow_backorder: true })
    await tradepost.patch(`${url}/stock`, { quantity: 1 })
    await order(tradepost, game.id, { shipping_address: ADDRESS, shipping_rate_id: await aRate() })
    await signUp(game, 'held@example.com')
    await tradepost.patch(url, { active: false })
    await tradepost.patch(url, { active: true })
    expect(await notified(game)).toEqual([])
    await tradepost.patch(`${url}/stock`, { delta: 1 })
    expect(await notified(game)).toEqual(['held'])
  })

  test('of one address for a product and for its variant is mailed once', async () => {
    const game = await product(tradepost)
    await signUp(game, 'both@example.com')
    await signUp(game, 'both@example.com', { variant_id: game.variantId })
    await addKeys(tradepost, game, ['ALERT-BOTH-0001'])
    expect(await notified(game)).toEqual(['both'])
    expect((await alerts(game)).map((item) => item.status)).toEqual(['notified', 'notified'])
  })

  test('is not mailed about units that sold out again, and is mailed when an order returns them', async () => {
    const game = await product(tradepost, {}, { keys: [] })
    await signUp(game, 'late@example.com')
    await addKeys(tradepost, game, ['ALERT-LATE-0001'])
    const { id } = await order(tradepost, game.id)
    expect(await notified(game)).toEqual([])
    expect(await alerts(game)).toMatchObject([{ status: 'pending' }])
    await tradepost.post(`/orders/${id}/cancel`)
    await sql`update stock_alert_due set due_at = clock_timestamp()`.execute(tradepost.db)
    expect(await notified(game)).toEqual(['late'])
  })

  test('that was not mailed is not examined forever', async () => {
    const game = await product(tradepost)
    await signUp(game, 'sold@example.com')
    await addKeys(tradepost, game, ['ALERT-SOLD-0001'])
    await order(tradepost, game.id, { mark_paid: true })
    expect(await notified(game)).toEqual([])
    const { rows } = await sql`select from stock_alert_due`.execute(tradepost.db)
    expect(rows).toHaveLength(0)
    await addKeys(tradepost, game, ['ALERT-SOLD-0002'])
    expect(await notified(game)).toEqual(['sold'])
  })

  test('is over with the variant that it waits for, and with the product', async () => {
    const game = await product(tradepost, { variants: [{ name: 'One' }, { name: 'Two' }] })
    const [one, two] = game.product.variants.map((variant: Json) => variant.id)
    await signUp(game, 'one@example.com', { variant_id: one })
    await signUp(game, 'two@example.com', { variant_id: two })
    await signUp(game, 'any@example.com')
    await tradepost.delete(`/products/${game.id}/variants/${two}`)
    await runAlerts()
    expect((await alerts(game)).map(({ email }) => email)).toEqual([
      'any@example.com',
      'one@example.com',
    ])
    await tradepost.delete(`/products/${game.id}`)
    await runAlerts()
    const { rows } = await sql`
      select from stock_alert
       where product_id = (select id from product where hash_id = ${game.id})`.execute(tradepost.db)
    expect(rows).toHaveLength(0)
  })

  test('is not mailed after a call that is rolled back', async () => {
    const game = await product(tradepost, {}, { keys: ['ALERT-ABCD-0005'] })
    await signUp(game, 'undone@example.com')
    const keys = ['ALERT-ABCD-0006', 'ALERT-ABCD-0005']
    const url = `/products/${game.id}/variants/${game.variantId}/keys`
    expect((await tradepost.post(url, { keys, skip_duplicates: false })).status).toBe(422)
    expect(await mails(game)).toEqual([])
    expect((await alerts(game))[0].status).toBe('pending')
  })

  test('can be deleted', async () => {
    const game = await product(tradepost)
    const { id } = await signUp(game, 'gone@example.com')
    const { status, json } = await tradepost.delete(`${path(game)}/${id}`)
    expect([status, json]).toEqual([200, { success: true, deleted: true, id }])
    expect(await alerts(game)).toEqual([])
    expect((await tradepost.delete(`${path(game)}/${id}`)).status).toBe(404)
  })

  test.each([
    [{}, 'email'],
    [{ email: 'nobody' }, 'email'],
    [{ email: 'a@example.com\r\nBcc: b@example.com' }, 'email'],
    [{ email: 'a@example.com', variant_id: 9e9 }, 'variant_id'],
    [{ email: 'a@example.com', status: 'notified' }, 'status'],
  ])('%j is refused by its field', async (body, field) => {
    const game = await product(tradepost)
    const { status, json } = await tradepost.post(path(game), body)
    expect([status, json.details.field]).toEqual([422, field])
  })
})

test('the threshold of a product is set and cleared, and stands in the product', async () => {
  const game = await product(tradepost)
  for (const stock_alert_threshold of [7, 0, null]) {
    const { status, json } = await tradepost.patch(path(game), { stock_alert_threshold })
    expect([status, json]).toEqual([200, { success: true, stock_alert_threshold }])
    const { json: read } = await tradepost.get(`/products/${game.id}`)
    expect(read.product.stock_alert_threshold).toBe(stock_alert_threshold)
  }
  for (const body of [{}, { stock_alert_threshold: -1 }, { stock_alert_threshold: '5' }]) {
    const { status, json } = await tradepost.patch(path(game), body)
    expect([status, json.details.field]).toEqual([422, 'stock_alert_threshold'])
  }
})

describe('mail', () => {
  async function queued(email: string): Promise<Stocked> {
    const game = await product(tradepost)
    await signUp(game, email)
    await addKeys(tradepost, game, [`MAIL-${email}`])
    await runAlerts()
    return game
  }

  test('that is refused for now is tried again, and kept as failed where it is refused for good', async () => {
    smtp.refusals.push('451 Later.')
    const later = await queued('later@example.com')
    await sendMailJob.run(tradepost.app)
    expect(await mails(later)).toMatchObject([{ status: 'queued', attempts: 1 }])
    await sendMailJob.run(tradepost.app)
    expect(smtp.letters).toEqual([])
    await sql`update mail set due_at = now() where status = 'queued'`.execute(tradepost.db)
    await sendMailJob.run(tradepost.app)
    expect(await mails(later)).toMatchObject([{ status: 'sent', attempts: 2, error: null }])
    smtp.refusals.push('550 Nobody here.')
    const never = await queued('never@example.com')
    await sendMailJob.run(tradepost.app)
    expect(await mails(never)).toMatchObject([{ status: 'failed', attempts: 1 }])
    expect((await mails(never))[0]?.error).toContain('550')
  })

  test('is sent once by two that send at the same time', async () => {
    await queued('once@example.com')
    await Promise.all([sendMailJob.run(tradepost.app), sendMailJob.run(tradepost.app)])
    expect(smtp.letters.map((letter) => letter.to)).toEqual([['once@example.com']])
  })

  test('of a test side is kept, and of an operator without a mail server too', async () => {
    const as = tradepost.test
    const game = await product(tradepost, {}, { as })
    await tradepost.post(path(game), { email: 'side@example.com' }, { as })
    await addKeys(tradepost, game, ['MAIL-TEST-0001'], { as })
    await runAlerts()
    const without = { ...tradepost.app, config: { ...tradepost.app.config, smtp: undefined } }
    const live = await queued('nosmtp@example.com')
    await sql`delete from mail_sender`.execute(tradepost.db)
    await sendMailJob.run(without)
    await sendMailJob.run(tradepost.app)
    expect(smtp.letters).toEqual([])
    expect(await mails(live)).toMatchObject([{ status: 'kept' }])
    const { rows } = await sql<MailRow>`
      select status from mail where recipient = 'side@example.com'`.execute(tradepost.db)
    expect(rows).toEqual([{ status: 'kept' }])
  })

  test('lies in the database without its text', async () => {
    await queued('sealed@example.com')
    const { rows } = await sql<{ content: Buffer }>`
      select content_enc as content from mail where recipient = 'sealed@example.com'`.execute(
      tradepost.db,
    )
    expect(rows[0]?.content.toString('latin1')).not.toContain('in stock')
  })
})

describe('the address in a mail', () => {
  const page = async (url: string, method: 'GET' | 'POST') =>
    tradepost.server.inject({
      method,
      url: new URL(url).pathname,
      ...(method === 'POST' && {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: 'List-Unsubscribe=One-Click',
      }),
    })
  const addressIn = ({ data }: { data: string }) =>
    /^List-Unsubscribe: <(\S+)>$/m.exec(data.replace(/\n[ \t]+/g, ' '))?.[1] ?? ''

  test('ends, with a POST, what its reader waits for in that store, and nothing else', async () => {
    const [notified, waiting] = [await product(tradepost), await product(tradepost)]
    for (const game of [notified, waiting]) await signUp(game, 'stop@example.com')
    await signUp(waiting, 'stay@example.com')
    const elsewhere = await product(tradepost, {}, { as: tradepost.other })
    await tradepost.post(path(elsewhere), { email: 'stop@example.com' }, { as: tradepost.other })
    await addKeys(tradepost, notified, ['ALERT-STOP-0001'])
    await runAlerts()
    await sendMailJob.run(tradepost.app)
    const [letter = { data: '' }] = smtp.letters
    expect(letter.data).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m)
    const url = addressIn(letter)
    expect(letter.data.replace(/=\n/g, '').replaceAll('=3D', '=')).toContain(`\n${url}\n`)

    const states = async () =>
      (await alerts(waiting)).map(({ email, status }) => [email, status]).sort()
    const looked = await page(url, 'GET')
    expect(looked.headers['content-security-policy']).toContain("default-src 'none'")
    expect(looked.body).toContain('<form method="post">')
    expect(await states()).toEqual([
      ['stay@example.com', 'pending'],
      ['stop@example.com', 'pending'],
    ])
    for (const _ of [1, 2]) expect((await page(url, 'POST')).statusCode).toBe(200)
    expect(await states()).toEqual([
      ['stay@example.com', 'pending'],
      ['stop@example.com', 'unsubscribed'],
    ])
    const { json } = await tradepost.get(path(elsewhere), { as: tradepost.other })
    expect(json.stock_alerts).toMatchObject([{ status: 'pending' }])
    expect(await alerts(notified)).toMatchObject([{ status: 'notified' }])
    expect((await signUp(waiting, 'stop@example.com')).status).toBe('pending')
  })

  test.each(['1-1', `1-1.${'A'.repeat(43)}`, 'x'])(
    '%s is not signed by this installation',
    async (token) => {
      const { statusCode } = await page(`http://here.test/stock-alerts/stop/${token}`, 'POST')
      expect(statusCode).toBe(404)
    },
  )
})
