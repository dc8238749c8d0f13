import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { fromNow } from '../clock.ts'
import type { Json } from '../harness.ts'
import { openReceiver, type Receiver } from '../receiver.ts'
import { type OpenedDashboard, openDashboard, press, tabTo, WAIT_MS } from './dashboard-harness.ts'

/** The number of failures in a row that turns off an endpoint. */
const FAILURES_MAX = 40

let dashboard: OpenedDashboard
let receiver: Receiver
/** An endpoint whose receiver refused two deliveries. */
let webhook: Json
/** The second of these two deliveries. */
let delivery: Json
/** An endpoint whose receiver accepted one event and refused three. */
let failingWebhook: Json
let failingReceiver: Receiver

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
  failingWebhook = await subscribe(failingReceiver)
  await addCustomers(1)
  await untilAttempted(failingWebhook, 1)
  failingReceiver.answer((response) => response.writeHead(500).end('no'))
  await addCustomers(3)
  await untilAttempted(failingWebhook, 4)
})
afterAll(async () => {
  await dashboard?.close()
  await receiver?.close()
  await failingReceiver?.close()
})

/** The request of an attempt, as the receiver got it. */
const requestOf = (eventId: string, attempt: number) =>
  receiver.received.find(
    ({ headers }) =>
      headers['service-event-id'] === eventId &&
      headers['service-delivery-attempt'] === String(attempt),
  )

async function subscribe({ url }: Receiver): Promise<Json> {
  const requestBody = { url, events: ['customer.created'] }
  return (await dashboard.ask('POST', '/webhooks', requestBody)).webhook
}

let customerCount = 0
async function addCustomers(count: number) {
  for (const end = customerCount + count; customerCount < end; customerCount++) {
    await dashboard.ask('POST', '/customers', { email: `customer-${customerCount}@example.com` })
  }
}

/** Waits until this many deliveries to the endpoint have a recorded attempt. */
const untilAttempted = ({ id }: Json, count: number) =>
  vi.waitFor(
    async () => {
      const path = `/events/deliveries?webhook_id=${id}&limit=100`
      const { deliveries } = await dashboard.ask('GET', path)
      expect(deliveries.filter(({ attempts }: Json) => attempts > 0)).toHaveLength(count)
    },
    { timeout: WAIT_MS, interval: 200 },
  )

test('the pages have no axe violations in either theme and do not scroll sideways', () =>
  dashboard.examine([
    `/webhooks/${webhook.id}`,
    `/webhooks/${failingWebhook.id}`,
    `/webhooks/${failingWebhook.id}/deliveries`,
    `/webhooks/${failingWebhook.id}/settings`,
    `/events/deliveries/${delivery.id}`,
    `/events/${delivery.event.id}`,
    '/events',
    '/events/deliveries',
    '/events/types',
  ]))

/** The attributes of the meter of failures, and the text of the page. */
const READ_FORECAST = `(() => {
  const meter = document.querySelector('[aria-label="Failures in a row"], meter')
  const read = (name) => meter.getAttribute(name)
  return { valueText: read('aria-valuetext'), value: read('value'), max: read('max'), text: document.querySelector('main').innerText }
})()`

describe('with the keyboard only', () => {
  test('a failing endpoint shows when it will be turned off, and each tab has its address', async () => {
    const page = await dashboard.context.newPage()
    const path = `/webhooks/${failingWebhook.id}`
    const open = async (tab: string, suffix: string) => {
      await press(page, tab)
      await expectOpen(tab, suffix)
    }
    const expectOpen = async (tab: string, suffix: string) => {
      await page.locator('.tabs [aria-current=page]', { hasText: tab }).waitFor()
      expect(new URL(page.url()).pathname).toMatch(new RegExp(`${path}${suffix}$`))
    }
    await dashboard.goTo(page, path)
    await expectOpen('Overview', '')
    await page.getByRole('meter', { name: 'Failures in a row' }).waitFor()
    // Retries of the three deliveries may fail meanwhile, so all parts are read at one moment.
    const { valueText, value, max, text } = (await page.evaluate(READ_FORECAST)) as Json
    expect(Number(value)).toBeGreaterThanOrEqual(3)
    expect([max, valueText]).toEqual(['40', `${value} of 40 failures in a row`])
    expect(text).toContain(valueText)
    const remaining = FAILURES_MAX - value
    expect(text).toMatch(
      new RegExp(`After ${remaining} more failures, not before \\w+ \\d+, \\d{4}`),
    )
    await open('Deliveries', '/deliveries')
    await page.getByRole('button', { name: 'Send failed again' }).waitFor()
    await open('Settings', '/settings')
    await page.getByRole('button', { name: 'Edit' }).waitFor()
    await page.goBack()
    await expectOpen('Deliveries', '/deliveries')
    await open('Overview', '')
    await page.getByText('The endpoint is failing.').waitFor()
    await page.close()
  })

  test('a delivery shows the headers of each attempt, and a curl command with its signature', async () => {
    await dashboard.ask('POST', `/events/deliveries/${delivery.id}/resend`)
    await dashboard.on(`/events/deliveries/${delivery.id}`, async (page) => {
      const headers = page.getByRole('table', { name: 'Request headers' })
      const signatureOf = (attempt: number) =>
        String(requestOf(delivery.event.id, attempt)?.headers['service-signature'])
      await headers.getByText(signatureOf(2)).waitFor()
      await tabTo(page, 'Attempt')
      await page.keyboard.press('ArrowUp')
      await headers.getByText(signatureOf(1)).waitFor()
      const curl = await page.getByText(/^curl -X POST/).textContent()
      expect(curl).toContain(`'Service-Signature: ${signatureOf(1)}'`)
      expect(curl).toContain(requestOf(delivery.event.id, 1)?.body)
    })
  })

  test('an event that was sent to no endpoint is listed, and can be sent to a selected endpoint', async () => {
    const { ask } = dashboard
    const { product } = await ask('POST', '/products', { name: 'Retired', price_cents: 500 })
    await ask('DELETE', `/products/${product.id}`)
    const orderReceiver = await openReceiver()
    const { webhook: orderWebhook } = await ask('POST', '/webhooks', {
      url: orderReceiver.url,
      events: ['order.created'],
    })
    const page = await dashboard.context.newPage()
    await dashboard.goTo(page, `/events?object_id=${product.id}`)
    await tabTo(page, 'Product deleted')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Product deleted' }).waitFor()
    await page.getByText('This event was sent to no endpoint.').waitFor()
    await tabTo(page, 'Send to endpoint')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await tabTo(page, 'Endpoint')
    await page.keyboard.type(orderReceiver.url)
    await press(page, 'Send to endpoint')
    await page.getByText(/^The endpoint answered 200/).waitFor()
    const deliveries = page.getByRole('table', { name: 'Deliveries' })
    await deliveries.getByText('Succeeded').waitFor()
    const [request] = orderReceiver.received
    expect(JSON.parse(String(request?.body))).toMatchObject({ type: 'product.deleted' })
    await page.close()
    await ask('DELETE', `/webhooks/${orderWebhook.id}`)
    await orderReceiver.close()
  })

  test('an old address with filters opens the filtered deliveries', async () => {
    const page = await dashboard.context.newPage()
    await dashboard.goTo(page, `/webhooks/${failingWebhook.id}?status=succeeded`)
    await page.waitForURL(`**/webhooks/${failingWebhook.id}/deliveries?status=succeeded`)
    await page.getByRole('table', { name: 'Deliveries' }).getByText('Succeeded').waitFor()
    expect(await page.locator('tbody tr').count()).toBe(1)
    await page.close()
  })

  test('the signature doctor reports that a body was parsed and serialized again', async () => {
    const page = await dashboard.context.newPage()
    await dashboard.goTo(page, `/events/deliveries/${delivery.id}`)
    const lastRequest = receiver.received.at(-1)
    await tabTo(page, 'Service-Signature')
    await page.keyboard.type(String(lastRequest?.headers['service-signature']))
    await tabTo(page, 'Body that the receiver verified')
    await page.keyboard.insertText(JSON.stringify(JSON.parse(String(lastRequest?.body)), null, 2))
    await tabTo(page, 'Examine')
    await page.keyboard.press('Enter')
    await page.getByText('serialized again, indented by two spaces').waitFor()
    await page.getByText('The signature matches the stored bytes').waitFor()
    await page.close()
  })

  test('the signature doctor of an endpoint examines the delivery that is chosen', async () => {
    await dashboard.on(`/webhooks/${webhook.id}`, async (page) => {
      const doctor = page.getByRole('region', { name: 'Signature doctor' })
      await doctor.waitFor()
      await tabTo(page, 'Delivery')
      const choices = await doctor.getByLabel('Delivery').locator('option').allTextContents()
      expect(choices.length).toBeGreaterThan(1)
      await page.keyboard.press('End')
      const chosenId = String(choices.at(-1)?.match(/\d+/)?.[0])
      await tabTo(page, 'Secret that the receiver uses')
      await page.keyboard.type('whsec_of_another_endpoint')
      const explainRequest = page.waitForRequest(`**/events/deliveries/${chosenId}/explain`)
      await press(page, 'Examine')
      await explainRequest
      await doctor.getByRole('heading', { name: 'Findings' }).waitFor()
      expect(await doctor.getByRole('status').getByRole('listitem').count()).toBeGreaterThan(0)
      await press(page, 'Show as API call')
      await doctor.getByText(`npx tradepost webhooks explain ${chosenId}`).waitFor()
      expect(await doctor.locator('.api-call').textContent()).not.toContain('another_endpoint')
    })
  })

  test('the dialogs of one endpoint and one delivery show the command that does the same', async () => {
    const expectCommand = async (path: string, action: string, command: string) =>
      dashboard.on(path, async (page) => {
        await press(page, action)
        const dialog = page.getByRole('dialog')
        await dialog.waitFor()
        await press(page, 'Show as API call')
        await dialog.getByText(`npx tradepost ${command} --store`).waitFor()
      })
    await expectCommand(`/webhooks/${webhook.id}`, 'Send test', `webhooks test ${webhook.id}`)
    await expectCommand(
      `/events/deliveries/${delivery.id}`,
      'Send again',
      `webhooks resend --delivery ${delivery.id}`,
    )
    const resendCommand = 'webhooks resend --failed-since 1d --samples --endpoint'
    const path = `/webhooks/${webhook.id}/deliveries`
    await expectCommand(path, 'Send failed again', `${resendCommand} ${webhook.id}`)
  })

  test('“Send what it missed” sends the events from before the endpoint was created', async () => {
    const lateReceiver = await openReceiver()
    const lateWebhook = await subscribe(lateReceiver)
    const page = await dashboard.context.newPage()
    await dashboard.goTo(page, `/webhooks/${lateWebhook.id}/deliveries`)
    await tabTo(page, 'Send what it missed')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    const yesterday = fromNow(-86_400_000).slice(0, 10)
    await dialog.getByLabel('Events since').fill(yesterday)
    await dialog.getByRole('button', { name: 'Send what it missed' }).click()
    await page.getByText('events are sent in the background.').waitFor()
    const { deliveries } = await dashboard.ask(
      'GET',
      `/events/deliveries?webhook_id=${lateWebhook.id}`,
    )
    await lateReceiver.until(deliveries.length)
    expect(deliveries.length).toBeGreaterThanOrEqual(2)
    await page.close()
    await lateReceiver.close()
  })

  test('“Send failed again” sends each failed delivery of an endpoint once', async () => {
    const page = await dashboard.context.newPage()
    await dashboard.goTo(page, `/webhooks/${webhook.id}/deliveries`)
    receiver.answer((response) => response.writeHead(200).end('yes'))
    const requestsBefore = receiver.received.length
    await tabTo(page, 'Send failed again')
    await page.keyboard.press('Enter')
    await page.getByText('2 deliveries failed.').waitFor()
    await tabTo(page, 'Send 2 again')
    await page.keyboard.press('Enter')
    await page.getByText('2 of 2; 0 failed again.').waitFor()
    expect(receiver.received).toHaveLength(requestsBefore + 2)
    const { deliveries } = await dashboard.ask('GET', `/events/deliveries?webhook_id=${webhook.id}`)
    expect(deliveries.map(({ status }: Json) => status)).toEqual(['succeeded', 'succeeded'])
    await page.close()
  })
})

test('an endpoint that failures turned off shows the reason, next to the button that turns it on', async () => {
  const disabledWebhook = await subscribe(failingReceiver)
  await addCustomers(FAILURES_MAX)
  await untilAttempted(disabledWebhook, FAILURES_MAX)
  await dashboard.examine([`/webhooks/${disabledWebhook.id}`])
  const page = await dashboard.context.newPage()
  await dashboard.goTo(page, `/webhooks/${disabledWebhook.id}`)
  const health = page.getByRole('region', { name: 'Health' })
  await health.getByText(/was turned off on .+: 40 attempts in a row failed/).waitFor()
  await tabTo(page, 'Turn on')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  await tabTo(page, 'Turn on')
  await page.keyboard.press('Enter')
  await health.getByText('0 of 40 failures in a row').waitFor()
  expect((await dashboard.ask('GET', `/webhooks/${disabledWebhook.id}`)).webhook.enabled).toBe(true)
  // An endpoint with a recent success stays on, and its failures may exceed the limit.
  await dashboard.goTo(page, `/webhooks/${failingWebhook.id}`)
  await health.getByText(/^4\d failures in a row; the limit is reached$/).waitFor()
  await health.getByText(/^At the next failure, not before/).waitFor()
  await page.close()
})

test('the page of an unknown delivery has a heading, and gives the reason', async () => {
  const page = await dashboard.context.newPage()
  await dashboard.goTo(page, '/events/deliveries/1')
  expect(await page.locator('h1').textContent()).toBe('This page could not be shown')
  await page.getByRole('alert').getByText('NOT_FOUND').waitFor()
  await page.close()
})
