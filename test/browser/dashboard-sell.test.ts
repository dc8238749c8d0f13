import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Json } from '../harness.ts'
import { type OpenedDashboard, openDashboard, tabTo } from './dashboard-harness.ts'

let dashboard: OpenedDashboard
/** The pages that are examined. */
let paths: string[]
let ids: Record<'ticket' | 'question' | 'review' | 'return' | 'subscription', number>

const MARA = { email: 'mara@example.com', name: 'Mara' }

/** Sells one unit of a new product. Returns the product and the paid order. */
async function sellNewProduct(
  fields: Json,
  prepare?: (product: Json, variantId: number) => Promise<Json>,
) {
  const { ask } = dashboard
  const body = { price_cents: 1500, status: 'active', ...fields }
  const { product, variants } = await ask('POST', '/products', body)
  await prepare?.(product, variants[0].id)
  const items = [{ product_id: product.id, quantity: 1 }]
  const { order } = await ask('POST', '/orders', { items, customer: MARA, mark_paid: true })
  return { product, order }
}

beforeAll(async () => {
  dashboard = await openDashboard()
  const { ask } = dashboard
  const license = await sellNewProduct({ name: 'Space Game', type: 'license' })
  const parcel = await sellNewProduct(
    { name: 'A box of cards', type: 'physical' },
    (product, variantId) =>
      ask('PATCH', `/products/${product.id}/variants/${variantId}/stock`, { quantity: 5 }),
  )
  const subscriptionFields = { name: 'Club', type: 'service', product_kind: 'subscription' }
  await sellNewProduct(subscriptionFields, ({ id }) =>
    ask('PUT', `/products/${id}/billing`, { billing_cycle: 'monthly' }),
  )
  const { ticket } = await ask('POST', '/tickets', {
    email: MARA.email,
    subject: 'Where is my parcel?',
    message: 'I ordered a week ago.',
    order_id: parcel.order.id,
  })
  const { question } = await ask('POST', '/questions', {
    product_id: parcel.product.id,
    customer_email: MARA.email,
    body: 'How many cards are in it?',
  })
  const { review } = await ask('POST', '/reviews', {
    order_id: license.order.id,
    product_id: license.product.id,
    rating: 4,
    message: 'Good, but short.',
  })
  const items = [{ order_item_id: parcel.order.items[0].id, quantity: 1, reason: 'wrong_item' }]
  const orderReturn = (await ask('POST', '/returns', { order_id: parcel.order.id, items })).return
  const [subscription] = (await ask('GET', '/subscriptions')).subscriptions
  ids = {
    ticket: ticket.id,
    question: question.id,
    review: review.id,
    return: orderReturn.id,
    subscription: subscription.id,
  }
  paths = [
    '/tickets',
    '/tickets?awaiting=seller',
    `/tickets/${ids.ticket}`,
    '/questions',
    `/questions/${ids.question}`,
    '/reviews',
    `/reviews/${ids.review}`,
    '/returns',
    `/returns/${ids.return}`,
    '/returns?status=rejected',
    '/subscriptions',
    `/subscriptions/${ids.subscription}`,
  ]
})
afterAll(() => dashboard?.close())

test('the pages have no axe violations in either theme and do not scroll sideways', () =>
  dashboard.examine(paths))

describe('with the keyboard only', () => {
  test('a question is answered and becomes public', async () => {
    const page = await dashboard.context.newPage()
    await dashboard.goTo(page, '/questions?status=pending')
    await tabTo(page, 'How many cards')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: `Question ${ids.question}` }).waitFor()
    await tabTo(page, 'Your answer')
    await page.keyboard.type('There are 60.')
    await tabTo(page, 'Answer')
    await page.keyboard.press('Enter')
    await page.locator('.stamp', { hasText: 'Answered' }).waitFor()
    const { question } = await dashboard.ask('GET', `/questions/${ids.question}`)
    expect(question).toMatchObject({ status: 'answered', answers: [{ body: 'There are 60.' }] })
    await page.close()
  })

  test('a ticket is answered and closed, and no longer awaits the seller', async () => {
    const page = await dashboard.context.newPage()
    await dashboard.goTo(page, '')
    await tabTo(page, 'Tickets without an answer')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Tickets' }).waitFor()
    await tabTo(page, 'Where is my parcel?')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Where is my parcel?' }).waitFor()
    await tabTo(page, 'Your reply')
    await page.keyboard.type('It leaves today.')
    await page.keyboard.press('Control+Enter')
    await page.getByText('It leaves today.', { exact: true }).waitFor()
    await page.locator('h1').focus()
    await page.getByRole('button', { name: 'Close ticket' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await tabTo(page, 'Close ticket')
    await page.keyboard.press('Enter')
    await page.locator('.stamp', { hasText: 'Closed' }).waitFor()
    const { ticket } = await dashboard.ask('GET', `/tickets/${ids.ticket}`)
    expect(ticket).toMatchObject({ status: 'closed', awaiting: null, message_count: 2 })
    await page.close()
  })
})

describe('a late answer to a reply does not take the focus from where the user went', () => {
  const isFocused = (page: Page) => page.evaluate('document.activeElement.textContent')

  /** Sends a reply, and moves the focus to the button that closes the ticket before the answer comes. */
  async function replyAndGoOn(page: Page, text: string, answer: (route: Route) => Promise<void>) {
    let allow = () => {}
    const hasMoved = new Promise<void>((resolve) => {
      allow = resolve
    })
    await page.route('**/messages', (route) => hasMoved.then(() => answer(route)), { times: 1 })
    await page.getByLabel('Your reply').fill(text)
    await page.getByRole('button', { name: 'Reply', exact: true }).click()
    await page.getByRole('button', { name: 'Close ticket' }).focus()
    allow()
  }

  const askTicket = (subject: string) =>
    dashboard.ask('POST', '/tickets', {
      email: MARA.email,
      subject,
      message: 'It has not come.',
    })

  test('when the reply is stored', async () => {
    const { ticket } = await askTicket('Is it lost?')
    await dashboard.on(`/tickets/${ticket.id}`, async (page) => {
      await replyAndGoOn(page, 'We ask the carrier.', (route) => route.continue())
      await page.getByText('We ask the carrier.', { exact: true }).waitFor()
      await expect.poll(() => page.getByLabel('Your reply').inputValue()).toBe('')
      expect(await isFocused(page)).toBe('Close ticket')

      await page.getByLabel('Your reply').fill('They found it.')
      await page.getByRole('button', { name: 'Reply', exact: true }).click()
      await page.getByText('They found it.', { exact: true }).waitFor()
      await page.locator('textarea:focus').waitFor()
    })
  })

  test('when the reply is refused', async () => {
    const { ticket } = await askTicket('Is it broken?')
    await dashboard.on(`/tickets/${ticket.id}`, async (page) => {
      await replyAndGoOn(page, 'We ask again.', (route) => route.continue({ postData: '{}' }))
      await page.locator('form [role="alert"]').waitFor()
      // The focus would move with the next picture.
      await page.evaluate(
        'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
      )
      expect(await isFocused(page)).toBe('Close ticket')
      expect(await page.getByLabel('Your reply').inputValue()).toBe('We ask again.')
    })
  })
})

test('a return is approved, received and refunded', async () => {
  const page = await dashboard.context.newPage()
  const confirmAction = async (label: string, submit = label) => {
    await page.getByRole('button', { name: label, exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: submit, exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  await dashboard.goTo(page, `/returns/${ids.return}`)
  await confirmAction('Approve')
  await confirmAction('Record what arrived')
  await confirmAction('Refund', 'Refund $15.00')
  await page.locator('.stamp', { hasText: 'Refunded' }).waitFor()
  const answer = await dashboard.ask('GET', `/returns/${ids.return}`)
  expect(answer.return).toMatchObject({ status: 'refunded', refund_amount_cents: 1500 })
  await page.close()
})

test('a subscription is cancelled at the end of its period, and the cancellation is undone', async () => {
  const page = await dashboard.context.newPage()
  await dashboard.goTo(page, `/subscriptions/${ids.subscription}`)
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel subscription' }).click()
  await page.getByRole('button', { name: 'Undo the cancellation' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo the cancellation' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const { subscription } = await dashboard.ask('GET', `/subscriptions/${ids.subscription}`)
  expect(subscription).toMatchObject({ status: 'active', auto_renew: true })
  await page.close()
})

test('the payment method of a subscription is changed', async () => {
  const page = await dashboard.context.newPage()
  await dashboard.goTo(page, `/subscriptions/${ids.subscription}`)
  await page.getByRole('button', { name: 'Change payment method' }).press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Paid by').selectOption('Balance')
  await dialog.locator('button[type=submit]').press('Enter')
  await dialog.waitFor({ state: 'detached' })
  const { subscription } = await dashboard.ask('GET', `/subscriptions/${ids.subscription}`)
  expect(subscription.auto_renewal.provider).toBe('balance')
  await page.close()
})

test('a review is answered and hidden', async () => {
  const page = await dashboard.context.newPage()
  await dashboard.goTo(page, `/reviews/${ids.review}`)
  await page.getByRole('button', { name: 'Reply', exact: true }).click()
  await page.getByRole('dialog').getByLabel('Your reply').fill('A longer one follows.')
  await page.getByRole('dialog').getByRole('button', { name: 'Reply', exact: true }).click()
  await page.getByText('A longer one follows.').first().waitFor()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Hide', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Hide', exact: true }).click()
  await page.locator('.stamp', { hasText: 'Hidden' }).waitFor()
  const { review } = await dashboard.ask('GET', `/reviews/${ids.review}`)
  expect(review).toMatchObject({ status: 'hidden', reply: 'A longer one follows.' })
  await page.close()
})
