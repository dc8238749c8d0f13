import { afterAll, beforeAll, expect, test } from 'vitest'
import { order, product } from '../build.ts'
import type { Json } from '../harness.ts'
import { simulate, startedOrder } from '../provider-payments.ts'
import { examine, WIDTHS } from './dashboard-harness.ts'
import { openPlainPages, type PlainPages, tabTo } from './plain-pages.ts'

/** The pages that the buyer of an order opens. */

let pages: PlainPages
beforeAll(async () => {
  pages = await openPlainPages()
})
afterAll(() => pages?.close())

const pathOf = (url: string): string => new URL(url).pathname

async function sell(keys: string[]): Promise<Json> {
  const as = { as: pages.tradepost.test }
  const name = 'The complete works with a very long title'
  const { id } = await product(pages.tradepost, { name }, { keys, ...as })
  const items = [{ product_id: id, quantity: keys.length }]
  return order(pages.tradepost, id, { items, mark_paid: true }, as)
}

test.each(WIDTHS)(
  'at %i px have no axe violations in either theme and do not scroll sideways',
  async (width) => {
    const sold = await sell(['BUYER-AAAA-0001', `LONG-${'X'.repeat(200)}`])
    const { order: unpaid, payment } = await startedOrder(pages.tradepost)
    const { id } = await product(pages.tradepost, { type: 'service' }, { as: pages.tradepost.test })
    const unstarted = await order(pages.tradepost, id, {}, { as: pages.tradepost.test })
    const view = {
      viewport: { width, height: 800 },
      colorScheme: 'light',
      bypassCSP: true,
    } as const
    await pages.on(pathOf(sold.order_url), view, async (page) => {
      for (const url of [
        sold.order_url,
        unpaid.order_url,
        unstarted.order_url,
        payment.checkout_url,
      ]) {
        await page.goto(pages.address + pathOf(url))
        await examine(page, url)
      }
    })
  },
)

test('a key is copied by keyboard', async () => {
  const sold = await sell(['COPIED-0001'])
  const permissions = ['clipboard-read', 'clipboard-write']
  await pages.on(pathOf(sold.order_url), { permissions }, async (page) => {
    await tabTo(page, 'Copy')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('COPIED-0001')
  })
})

test('the page of an order changes when the order is paid', async () => {
  const { order: unpaid, payment } = await startedOrder(pages.tradepost)
  await pages.on(pathOf(unpaid.order_url), {}, async (page) => {
    await page.getByText('Waiting for your payment').waitFor()
    await simulate(pages.tradepost, payment, { do: 'pay' })
    await page.getByText('Paid', { exact: true }).first().waitFor()
  })
})
