import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Json } from '../harness.ts'
import { openReceiver, type Receiver } from '../receiver.ts'
import { type OpenedDashboard, openDashboard, tabTo, VIEWS } from './dashboard-harness.ts'

const FAILURES_MAX = 40

let dashboard: OpenedDashboard
let receiver: Receiver
let webhook: Json
let delivery: Json
/** The receiver of an endpoint that accepted one event and refused three. */
let failingReceiver: Receiver
let failing: Json

/** An endpoint whose receiver refused two deliveries. */
beforeAll(async () => {
  dashboard = await openDashboard()
  receiver = await openReceiver()
  receiver.answer((response) => response.writeHead(500).end('no'))
  const { ask } = dashboard
  const events = ['order.created', 'order.completed']
  webhook = (await ask('POST', '/webhooks', { url: receiver.url, events })).webhook
  await ask('POST', `/webhooks/${webhook.id}/test`, { type: 'order.created' })
  delivery = (await ask('POST', `/webhooks/${webhook.id}/test`, { type: 'order.completed' }))
    .delivery
  failingReceiver = await openReceiver()
  failing = await subscribe(failingReceiver)
  await addCustomers(1)
  await untilAttempted(failing, 1)
  failingReceiver.answer((response) => response.writeHead(500).end('no'))
  await addCustomers(3)
  await untilAttempted(failing, 4)
})
afterAll(async () => {
  await dashboard?.close()
  await receiver?.close()
  await failingReceiver?.close()
})

async function subscribe({ url }: Receiver): Promise<Json> {
  const sent = { url, events: ['customer.created'] }
  return (await dashboard.ask('POST', '/webhooks', sent)).webhook
}

let customers = 0
async function addCustomers(count: number) {
  for (const end = customers + count; customers < end; customers++) {
    await dashboard.ask('POST', '/customers', { email: `customer-${customers}@example.com` })
  }
}

/** Waits until so many deliveries to the endpoint have the result of an attempt. */
const untilAttempted = ({ id }: Json, count: number) =>
  vi.waitFor(
    async () => {
      const path = `/events/deliveries?webhook_id=${id}&limit=100`
      const { deliveries } = await dashboard.ask('GET', path)
      expect(deliveries.filter(({ attempts }: Json) => attempts > 0)).toHaveLength(count)
    },
    { timeout: 60_000, interval: 200 },
  )

test.each(VIEWS)(
  'at $width px in $colorScheme the pages have no fault that axe finds, and do not scroll sideways',
  (view) =>
    dashboard.examine(
      [
        `/webhooks/${webhook.id}`,
        `/webhooks/${failing.id}`,
        `/webhooks/${failing.id}/deliveries`,
        `/webhooks/${failing.id}/settings`,
        `/events/deliveries/${delivery.id}`,
      ],
      view,
    ),
)

describe('by keyboard only', () => {
  test('an endpoint that fails says when it is turned off, and each tab has its address', async () => {
    const page = await dashboard.context.newPage()
    const path = `/webhooks/${failing.id}`
    const open = async (tab: string, suffix: string) => {
      await tabTo(page, tab)
      await page.keyboard.press('Enter')
      await isOpen(tab, suffix)
    }
    const isOpen = async (tab: string, suffix: string) => {
      await page.locator('.tabs [aria-current=page]', { hasText: tab }).waitFor()
      expect(new URL(page.url()).pathname).toMatch(new RegExp(`${path}${suffix}$`))
    }
    await dashboard.goTo(page, path)
    await isOpen('Overview', '')
    const meter = page.getByRole('meter', { name: 'Failures in a row' })
    expect(await meter.getAttribute('aria-valuetext')).toBe('3 of 40 failures in a row')
    expect([await meter.getAttribute('value'), await meter.getAttribute('max')]).toEqual([
      '3',
      '40',
    ])
    await page.getByText('3 of 40 failures in a row', { exact: true }).waitFor()
    await page.getByText(/^After 37 more failures, not before \w+ \d+, \d{4}/).waitFor()
    await open('Deliveries', '/deliveries')
    await page.getByRole('button', { name: 'Send failed again' }).waitFor()
    await open('Settings', '/settings')
    await page.getByRole('button', { name: 'Edit' }).waitFor()
    await page.goBack()
    await isOpen('Deliveries', '/deliveries')
    await open('Overview', '')
    await page.getByText('The endpoint is failing.').waitFor()
    await page.close()
  })

  test('an address with filters from before there were tabs opens the filtered deliveries', async () => {
    const page = await dashboard.context.newPage()
    await dashboard.goTo(page, `/webhooks/${failing.id}?status=succeeded`)
    await page.waitForURL(`**/webhooks/${failing.id}/deliveries?status=succeeded`)
    await page.getByRole('table', { name: 'Deliveries' }).getByText('Succeeded').waitFor()
    expect(await page.locator('tbody tr').count()).toBe(1)
    await page.close()
  })

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
    await dashboard.goTo(page, `/webhooks/${webhook.id}/deliveries`)
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

test('an endpoint that was turned off says why, and is turned on where it says so', async () => {
  const off = await subscribe(failingReceiver)
  await addCustomers(FAILURES_MAX)
  await untilAttempted(off, FAILURES_MAX)
  await dashboard.examine([`/webhooks/${off.id}`], { width: 320, colorScheme: 'light' })
  const page = await dashboard.context.newPage()
  await dashboard.goTo(page, `/webhooks/${off.id}`)
  const health = page.getByRole('region', { name: 'Health' })
  await health.getByText(/was turned off on .+: 40 attempts in a row failed/).waitFor()
  await tabTo(page, 'Turn on')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  await tabTo(page, 'Turn on')
  await page.keyboard.press('Enter')
  await health.getByText('0 of 40 failures in a row').waitFor()
  expect((await dashboard.ask('GET', `/webhooks/${off.id}`)).webhook.enabled).toBe(true)
  // An endpoint with a recent success stays on, and its count goes on beyond the limit.
  await dashboard.goTo(page, `/webhooks/${failing.id}`)
  await health.getByText('43 failures in a row; the limit is reached').waitFor()
  await health.getByText(/^At the next failure, not before/).waitFor()
  await page.close()
})

test('the page of a record that is not there has a heading, and says why', async () => {
  const page = await dashboard.context.newPage()
  await dashboard.goTo(page, '/events/deliveries/1')
  expect(await page.locator('h1').textContent()).toBe('This page could not be shown')
  await page.getByRole('alert').getByText('NOT_FOUND').waitFor()
  await page.close()
})
