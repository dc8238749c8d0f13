import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { alertStore } from '../../../../test/alert-store.ts'
import { addKeys, type CreatedProduct, order, product, zone } from '../../../../test/build.ts'
import { expectSuccess, type Json } from '../../../../test/harness.ts'
import { sendMailJob } from '../../installation/mail/index.ts'

const alerts = alertStore()
const { pathOf, signUp, listAlerts, runAlerts, runAndReadMails } = alerts
const change = (path: string, fields: Json) => expectSuccess(alerts.tradepost.patch(path, fields))
const ADDRESS = { name: 'Ada', line1: 'Street 1', city: 'Berlin', country: 'DE' }
const createRate = async (): Promise<number> => (await zone(alerts.tradepost)).rates[0].id

describe('a sign-up', () => {
  test('is pending until there is stock, and is then mailed once', async () => {
    const game = await product(alerts.tradepost, { name: 'Game, "the" <best>' })
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
    await addKeys(alerts.tradepost, game, ['ALERT-ABCD-0001'])
    await runAlerts()
    const [notifiedAlert] = await listAlerts(game)
    expect(notifiedAlert).toMatchObject({ status: 'notified', notified_at: expect.any(String) })
    expect(alerts.smtp.letters).toEqual([])
    await sendMailJob.run(alerts.tradepost.app)
    expect(alerts.smtp.letters).toMatchObject([
      { from: 'shop@example.com', to: ['ada@example.com'] },
    ])
    const [letter] = alerts.smtp.letters
    expect(letter?.data).toMatch(/^Subject: =\?UTF-8\?Q\?Game=2C_=22the=22/m)
    expect(letter?.data).toContain('\nGood news: Game, "the" <best> is in stock again at Here.\n')
    expect(letter?.data).toMatch(/^From: Here <shop@example\.com>$/m)
    expect(letter?.data).toMatch(/^Message-ID: <msg_\w+\.\d+@example\.com>$/m)
    await addKeys(alerts.tradepost, game, ['ALERT-ABCD-0002'])
    await runAlerts()
    await sendMailJob.run(alerts.tradepost.app)
    expect(alerts.smtp.letters).toHaveLength(1)
  })

  test('of one address is stored once, and can be repeated after its mail', async () => {
    const game = await product(alerts.tradepost)
    const first = await signUp(game, 'twice@example.com')
    expect(await signUp(game, 'TWICE@example.com')).toEqual(first)
    await addKeys(alerts.tradepost, game, ['ALERT-ABCD-0003'])
    await runAlerts()
    expect((await signUp(game, 'twice@example.com')).id).not.toBe(first.id)
    expect((await listAlerts(game, '?status=pending')).length).toBe(1)
    expect((await listAlerts(game)).length).toBe(2)
  })

  test('for one variant is not mailed about another', async () => {
    const variants = [{ name: 'One' }, { name: 'Two' }]
    const game = await product(alerts.tradepost, { variants })
    const [first, second] = game.product.variants.map((variant: Json) => variant.id)
    await signUp(game, 'one@example.com', { variant_id: first })
    await signUp(game, 'two@example.com', { variant_id: second })
    await addKeys(alerts.tradepost, { id: game.id, variantId: second }, ['ALERT-ABCD-0004'])
    expect((await runAndReadMails(game)).map((mail) => mail.recipient)).toEqual(['two@example.com'])
  })

  /** Runs the job, and returns the names before the @ of the mailed addresses. */
  const mailedNames = async (game: CreatedProduct) =>
    (await runAndReadMails(game)).map(({ recipient }) => recipient.split('@')[0])

  test.each([
    [{ status: 'draft' }, { status: 'active' }],
    [{ status: 'archived' }, { status: 'active' }],
    [{ active: false }, { active: true }],
    [{ visibility: 'on_hold' }, { visibility: 'private' }],
  ])(
    'for a product with %j is mailed once the product has stock and is on sale',
    async (fieldsOffSale, fieldsOnSale) => {
      const [game, emptyGame] = [
        await product(alerts.tradepost, fieldsOffSale),
        await product(alerts.tradepost, fieldsOffSale),
      ]
      const [name = '', value] = Object.entries(fieldsOffSale)[0] ?? []
      const email = (stock: string) => `${name}-${value}-${stock}@example.com`
      await signUp(game, email('game'))
      await signUp(emptyGame, email('empty'))
      await addKeys(alerts.tradepost, game, [`ALERT-OFF-${name}-${value}`])
      expect(await mailedNames(game)).toEqual([])
      expect(await listAlerts(game)).toMatchObject([{ status: 'pending', notified_at: null }])
      await change(`/products/${game.id}`, { name: 'Renamed' })
      expect(await mailedNames(game)).toEqual([])
      for (const item of [game, emptyGame]) await change(`/products/${item.id}`, fieldsOnSale)
      expect(await mailedNames(game)).toEqual([`${name}-${value}-game`])
      expect(await listAlerts(game)).toMatchObject([{ status: 'notified' }])
      expect(await listAlerts(emptyGame)).toMatchObject([{ status: 'pending' }])
      for (const fields of [fieldsOffSale, fieldsOnSale])
        await change(`/products/${game.id}`, fields)
      expect(await mailedNames(game)).toHaveLength(1)
    },
  )

  test('for a variant is mailed once the variant has stock and is on sale, and not about its sibling', async () => {
    const variants = [{ name: 'One' }, { name: 'Two', active: false }]
    const game = await product(alerts.tradepost, { variants }, { keys: ['ALERT-VAR-0001'] })
    const { id: variant_id } = game.product.variants[1]
    await signUp(game, 'off@example.com', { variant_id })
    await addKeys(alerts.tradepost, { id: game.id, variantId: variant_id }, ['ALERT-VAR-0002'])
    expect(await mailedNames(game)).toEqual([])
    await change(`/products/${game.id}`, { status: 'draft' })
    await change(`/products/${game.id}`, { status: 'active' })
    expect(await mailedNames(game)).toEqual([])
    await change(`/products/${game.id}/variants/${variant_id}`, { active: true })
    expect(await mailedNames(game)).toEqual(['off'])
  })

  test('is mailed when the stock of the product is no longer counted', async () => {
    const game = await product(alerts.tradepost)
    await signUp(game, 'endless@example.com')
    const path = `/products/${game.id}/variants/${game.variantId}`
    await change(path, { name: 'Renamed' })
    expect(await mailedNames(game)).toEqual([])
    await change(path, { stock_mode: 'unlimited' })
    expect(await mailedNames(game)).toEqual(['endless'])
  })

  test('is not mailed about units that an unpaid order reserves', async () => {
    const game = await product(alerts.tradepost, { type: 'physical' })
    const path = `/products/${game.id}/variants/${game.variantId}`
    await change(path, { allow_backorder: true })
    await change(`${path}/stock`, { quantity: 1 })
    await order(alerts.tradepost, game.id, {
      shipping_address: ADDRESS,
      shipping_rate_id: await createRate(),
    })
    await signUp(game, 'held@example.com')
    await change(path, { active: false })
    await change(path, { active: true })
    expect(await mailedNames(game)).toEqual([])
    await change(`${path}/stock`, { delta: 1 })
    expect(await mailedNames(game)).toEqual(['held'])
  })

  test('of one address for a product and for its variant is mailed once', async () => {
    const game = await product(alerts.tradepost)
    await signUp(game, 'both@example.com')
    await signUp(game, 'both@example.com', { variant_id: game.variantId })
    await addKeys(alerts.tradepost, game, ['ALERT-BOTH-0001'])
    expect(await mailedNames(game)).toEqual(['both'])
    expect((await listAlerts(game)).map((item) => item.status)).toEqual(['notified', 'notified'])
  })

  test('is not mailed about units that an order reserved meanwhile, and is mailed when the order releases them', async () => {
    const game = await product(alerts.tradepost, {}, { keys: [] })
    await signUp(game, 'late@example.com')
    await addKeys(alerts.tradepost, game, ['ALERT-LATE-0001'])
    const { id } = await order(alerts.tradepost, game.id)
    expect(await mailedNames(game)).toEqual([])
    expect(await listAlerts(game)).toMatchObject([{ status: 'pending' }])
    await expectSuccess(alerts.tradepost.post(`/orders/${id}/cancel`))
    await sql`update stock_alert_due set due_at = clock_timestamp()`.execute(alerts.tradepost.db)
    expect(await mailedNames(game)).toEqual(['late'])
  })

  test('whose product sold out before its mail is mailed after the next restock', async () => {
    const game = await product(alerts.tradepost)
    await signUp(game, 'sold@example.com')
    await addKeys(alerts.tradepost, game, ['ALERT-SOLD-0001'])
    await order(alerts.tradepost, game.id, { mark_paid: true })
    expect(await mailedNames(game)).toEqual([])
    const { rows } = await sql`select from stock_alert_due`.execute(alerts.tradepost.db)
    expect(rows).toHaveLength(0)
    await addKeys(alerts.tradepost, game, ['ALERT-SOLD-0002'])
    expect(await mailedNames(game)).toEqual(['sold'])
  })

  test('is deleted with its variant or product', async () => {
    const game = await product(alerts.tradepost, { variants: [{ name: 'One' }, { name: 'Two' }] })
    const [first, second] = game.product.variants.map((variant: Json) => variant.id)
    await signUp(game, 'one@example.com', { variant_id: first })
    await signUp(game, 'two@example.com', { variant_id: second })
    await signUp(game, 'any@example.com')
    await expectSuccess(alerts.tradepost.delete(`/products/${game.id}/variants/${second}`))
    await runAlerts()
    expect((await listAlerts(game)).map(({ email }) => email)).toEqual([
      'any@example.com',
      'one@example.com',
    ])
    await expectSuccess(alerts.tradepost.delete(`/products/${game.id}`))
    await runAlerts()
    const { rows } = await sql`
      select from stock_alert
       where product_id = (select id from product where hash_id = ${game.id})`.execute(
      alerts.tradepost.db,
    )
    expect(rows).toHaveLength(0)
  })

  test('is not mailed after a call that is rolled back', async () => {
    const game = await product(alerts.tradepost, {}, { keys: ['ALERT-ABCD-0005'] })
    await signUp(game, 'undone@example.com')
    const keys = ['ALERT-ABCD-0006', 'ALERT-ABCD-0005']
    const path = `/products/${game.id}/variants/${game.variantId}/keys`
    expect((await alerts.tradepost.post(path, { keys, skip_duplicates: false })).status).toBe(422)
    expect(await runAndReadMails(game)).toEqual([])
    expect((await listAlerts(game))[0].status).toBe('pending')
  })

  test('can be deleted', async () => {
    const game = await product(alerts.tradepost)
    const { id } = await signUp(game, 'gone@example.com')
    const { status, json } = await alerts.tradepost.delete(`${pathOf(game)}/${id}`)
    expect([status, json]).toEqual([200, { success: true, deleted: true, id }])
    expect(await listAlerts(game)).toEqual([])
    expect((await alerts.tradepost.delete(`${pathOf(game)}/${id}`)).status).toBe(404)
  })

  test.each([
    [{}, 'email'],
    [{ email: 'nobody' }, 'email'],
    [{ email: 'a@example.com\r\nBcc: b@example.com' }, 'email'],
    [{ email: 'a@example.com', variant_id: 9e9 }, 'variant_id'],
    [{ email: 'a@example.com', status: 'notified' }, 'status'],
  ])('with %j is refused, and the error names the field', async (body, field) => {
    const game = await product(alerts.tradepost)
    const { status, json } = await alerts.tradepost.post(pathOf(game), body)
    expect([status, json.details.field]).toEqual([422, field])
  })
})

test('the stock_alert_threshold of a product is set and cleared, and shown by the product', async () => {
  const game = await product(alerts.tradepost)
  for (const stock_alert_threshold of [7, 0, null]) {
    const { status, json } = await alerts.tradepost.patch(pathOf(game), { stock_alert_threshold })
    expect([status, json]).toEqual([200, { success: true, stock_alert_threshold }])
    const { json: productAnswer } = await alerts.tradepost.get(`/products/${game.id}`)
    expect(productAnswer.product.stock_alert_threshold).toBe(stock_alert_threshold)
  }
  for (const body of [{}, { stock_alert_threshold: -1 }, { stock_alert_threshold: '5' }]) {
    const { status, json } = await alerts.tradepost.patch(pathOf(game), body)
    expect([status, json.details.field]).toEqual([422, 'stock_alert_threshold'])
  }
})
