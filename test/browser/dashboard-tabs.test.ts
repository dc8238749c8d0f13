import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Json } from '../harness.ts'
import { type OpenedDashboard, openDashboard } from './dashboard-harness.ts'

/** Each tab above a list, and each link of the home page, shows the records that the API counts. */

/** The tabs of each list, with the query of the Store API that must give the same records. */
const TABS: Record<string, Record<string, string>> = {
  orders: {
    All: '',
    'To review': 'status=manual_review',
    Paid: 'status=paid',
    'To deliver': 'status=paid&on_hold=false',
    'Waiting for payment': 'status=pending,partially_paid',
    'To ship': 'status=paid,completed&fulfillment_status=unfulfilled,partial&on_hold=false',
    'On hold': 'on_hold=true',
    Completed: 'status=completed',
    Refunded: 'refund_status=partial,full',
  },
  tickets: {
    All: '',
    'Awaiting your answer': 'awaiting=seller',
    'Awaiting the customer': 'awaiting=customer',
    Closed: 'status=closed',
  },
  returns: {
    All: '',
    Open: 'status=requested,approved,received',
    'To decide': 'status=requested',
    'On the way': 'status=approved',
    'To refund': 'status=received',
    Ended: 'status=refunded,rejected,cancelled,closed',
  },
  subscriptions: {
    All: '',
    Active: 'status=active',
    'On trial': 'status=trialing',
    'Past due': 'status=past_due',
    Ending: 'status=active&auto_renew=false',
  },
  reviews: {
    'Without a reply': 'has_reply=false&automatic=false',
    All: '',
    Reported: 'status=reported',
    Hidden: 'status=hidden',
  },
  questions: {
    All: '',
    Unanswered: 'status=pending',
    Answered: 'status=answered',
    Hidden: 'status=hidden',
  },
  products: {
    All: '',
    Active: 'status=active',
    Drafts: 'status=draft',
    'Sold out': 'status=active&in_stock=false',
    Archived: 'status=archived',
  },
  coupons: { Active: 'active=true', Stopped: 'active=false', All: '' },
  customers: { All: '', 'Latest orders': 'sort=-last_order_at', Blocked: 'blocked=true' },
}

let dashboard: OpenedDashboard

beforeAll(async () => {
  dashboard = await openDashboard()
  const { ask } = dashboard
  const sell = async (product: Json, email: string, isPaid = true) => {
    const items = [{ product_id: product.id, quantity: 1 }]
    const body = { items, customer: { email }, mark_paid: isPaid }
    return (await ask('POST', '/orders', body)).order
  }
  const create = async (fields: Json) =>
    ask('POST', '/products', { price_cents: 1500, status: 'active', ...fields })

  const { product: license } = await create({ name: 'Space Game', type: 'license' })
  const { product: box, variants } = await create({ name: 'Box of cards', type: 'physical' })
  const stock = `/products/${box.id}/variants/${variants[0].id}/stock`
  await ask('PATCH', stock, { quantity: 4 })
  await create({ name: 'Not ready', status: 'draft' })
  await create({ name: 'Out of keys' })
  const { product: club } = await create({
    ...{ name: 'Club', type: 'service', product_kind: 'subscription' },
  })
  await ask('PUT', `/products/${club.id}/billing`, { billing_cycle: 'monthly' })

  const games = []
  for (const name of ['ada', 'ben', 'cyn']) games.push(await sell(license, `${name}@example.com`))
  const [first, second, third] = games
  await sell(license, 'ada@example.com', false)
  await ask('POST', `/orders/${third.id}/refund`, { amount_cents: 500 })
  for (const order of [first, second]) {
    await ask('POST', '/reviews', { order_id: order.id, product_id: license.id, rating: 4 })
  }
  const [review] = (await ask('GET', '/reviews')).reviews
  await ask('PUT', `/reviews/${review.id}/reply`, { reply: 'Thanks.' })

  for (const email of ['ada@example.com', 'ben@example.com']) await sell(club, email)
  const [subscription] = (await ask('GET', '/subscriptions')).subscriptions
  await ask('PATCH', `/subscriptions/${subscription.id}`, { auto_renew: false })

  const returns = []
  for (const email of ['ada@example.com', 'ben@example.com', 'cyn@example.com']) {
    const order = await sell(box, email)
    const items = [{ order_item_id: order.items[0].id, quantity: 1, reason: 'wrong_item' }]
    returns.push((await ask('POST', '/returns', { order_id: order.id, items })).return)
  }
  await ask('POST', `/returns/${returns[0].id}/reject`, { note: 'It was used.' })
  await ask('POST', `/returns/${returns[1].id}/approve`)

  const tickets = []
  for (const subject of ['Where is it?', 'Which size?', 'Thank you']) {
    const body = { email: 'ada@example.com', subject, message: 'I wonder.' }
    tickets.push((await ask('POST', '/tickets', body)).ticket)
  }
  await ask('POST', `/tickets/${tickets[1].id}/messages`, { author: 'seller', body: 'Large.' })
  await ask('POST', `/tickets/${tickets[2].id}/close`)

  const questions = []
  for (const body of ['How many cards?', 'Which language?']) {
    const question = { product_id: box.id, customer_email: 'ada@example.com', body }
    questions.push((await ask('POST', '/questions', question)).question)
  }
  await ask('POST', `/questions/${questions[0].id}/answers`, { body: 'There are 60.' })

  for (const code of ['SPRING', 'AUTUMN', 'WINTER']) {
    await ask('POST', '/coupons', { code, type: 'percentage', discount_percent: 10 })
  }
  const [coupon] = (await ask('GET', '/coupons')).coupons
  await ask('PATCH', `/coupons/${coupon.id}`, { active: false })
  const [customer] = (await ask('GET', '/customers')).customers
  await ask('POST', `/customers/${customer.id}/block`)
})
afterAll(() => dashboard?.close())

/** Returns the number of records that the API has for a query of a list. */
async function totalOf(list: string, query: string): Promise<number> {
  const { pagination } = await dashboard.ask('GET', `/${list}?limit=1&${query}`)
  return pagination.total
}

describe.each(Object.entries(TABS))('above the list of %s', (list, queries) => {
  test('each tab shows the records that the API has for it', async () => {
    const totals = await Promise.all(Object.values(queries).map((query) => totalOf(list, query)))
    // A tab that does nothing would show the records of another one.
    expect(new Set(totals).size).toBeGreaterThan(1)
    await dashboard.on(`/${list}`, async (page) => {
      const tabs = page.locator('.views button')
      const rows = page.locator('main tbody tr')
      expect(await tabs.allTextContents()).toEqual(Object.keys(queries))
      // The last first, because a list opens with its first tab.
      for (const [index, name] of [...Object.keys(queries).entries()].reverse()) {
        await tabs.nth(index).click()
        await page.locator('.views [aria-pressed=true]', { hasText: name }).waitFor()
        await expect.poll(() => rows.count(), { message: name }).toBe(totals[index])
      }
    })
  })
})

test('each link of the records that need attention opens a list of as many records', async () => {
  await dashboard.on('', async (page) => {
    const lines = page.getByRole('region', { name: 'Needs attention' }).locator('li')
    const links = await lines.evaluateAll((items) =>
      items.map((item) => {
        const name = item.querySelector('a')?.textContent ?? ''
        return { name, count: Number(item.textContent.replace(name, '')) }
      }),
    )
    expect(links.map(({ name }) => name)).toEqual([
      'Orders to deliver',
      'Tickets without an answer',
      'Questions without an answer',
      'Open returns',
      'Products out of stock',
    ])
    for (const { name, count } of links) {
      await page.getByRole('link', { name, exact: true }).click()
      await page.locator('.views').waitFor()
      await expect.poll(() => page.locator('main tbody tr').count(), { message: name }).toBe(count)
      await page.goBack()
      await page.getByRole('link', { name, exact: true }).waitFor()
    }
  })
})

test('the net sales of today lead to the orders that were paid today', async () => {
  await dashboard.on('', async (page) => {
    await page.getByRole('link', { name: 'Orders paid today' }).click()
    await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor()
    const paid_from = new URL(page.url()).searchParams.get('paid_from')
    const path = `/orders?paid_from=${paid_from}T00:00:00Z&limit=100`
    const { orders } = await dashboard.ask('GET', path)
    expect(orders.length).toBeGreaterThan(0)
    await expect.poll(() => page.locator('main tbody tr').count()).toBe(orders.length)
  })
})
