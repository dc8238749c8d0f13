import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Json } from '../harness.ts'
import { openReceiver, type Receiver } from '../receiver.ts'
import { type OpenedDashboard, openDashboard, tabTo, VIEWS } from './dashboard-harness.ts'

let dashboard: OpenedDashboard
let receiver: Receiver
let webhook: Json
let delivery: Json

/** An endpoint whose receiver refused two deliveries. */
beforeAll(async () => {
  dashboard = await openDashboard()
  receiver = await openReceiver()
  receiver.answer((response) => response.writeHead(500).end('no'))
  const { ask } = dashboard
  webhook = (await ask('POST', '/webhooks', { url: receiver.url, events: ['*'] })).webhook
  await ask('POST', `/webhooks/${webhook.id}/test`, { type: 'order.created' })
  delivery = (await ask('POST', `/webhooks/${webhook.id}/test`, { type: 'order.completed' }))
    .delivery
})
afterAll(async () => {
  await dashboard?.close()
  await receiver?.close()
})

test.each(VIEWS)(
  'at $width px in $colorScheme the pages have no fault that axe finds, and do not scroll sideways',
  (view) =>
    dashboard.examine([`/webhooks/${webhook.id}`, `/events/deliveries/${delivery.id}`], view),
)

describe('by keyboard only', () => {
  test('the signature doctor says that a body was parsed and written anew', async () => {
    const page = await dashboard.context.newPage()
    await dashboard.goTo(page, `/events/deliveries/${delivery.id}`)
    const [arrived] = receiver.received.slice(-1)
    await tabTo(page, 'Service-Signature')
    await page.keyboard.type(String(arrived?.headers['service-signature']))
    await tabTo(page, 'Body that the receiver verified')
    await page.keyboard.insertText(JSON.stringify(JSON.parse(String(arrived?.body)), null, 2))
    await tabTo(page, 'Examine')
    await page.keyboard.press('Enter')
    await page.getByText('written anew, as by a writer that indents by two spaces').waitFor()
    await page.getByText('The signature fits the stored bytes').waitFor()
    await page.close()
  })

  test('what failed since is sent again, once each', async () => {
    const page = await dashboard.context.newPage()
    await dashboard.goTo(page, `/webhooks/${webhook.id}`)
    receiver.answer((response) => response.writeHead(200).end('yes'))
    const before = receiver.received.length
    await tabTo(page, 'Send failed again')
    await page.keyboard.press('Enter')
    await page.getByText('2 deliveries failed.').waitFor()
    await tabTo(page, 'Send 2 again')
    await page.keyboard.press('Enter')
    await page.getByText('2 of 2; 0 failed again.').waitFor()
    expect(receiver.received).toHaveLength(before + 2)
    const { deliveries } = await dashboard.ask('GET', `/events/deliveries?webhook_id=${webhook.id}`)
    expect(deliveries.map(({ status }: Json) => status)).toEqual(['succeeded', 'succeeded'])
    await page.close()
  })
})

test('the page of a record that is not there has a heading, and says why', async () => {
  const page = await dashboard.context.newPage()
  await dashboard.goTo(page, '/events/deliveries/1')
  expect(await page.locator('h1').textContent()).toBe('This page could not be shown')
  await page.getByRole('alert').getByText('NOT_FOUND').waitFor()
  await page.close()
})
