import { afterAll, beforeAll, expect, test } from 'vitest'
import { fromNow } from '../clock.ts'
import { openReceiver, type Receiver } from '../receiver.ts'
import { until } from '../until.ts'
import { call, expectStatus, targetOf } from './client.ts'
import { createMigratedInstallation, type Installation } from './spawn-server.ts'

let installation: Installation
let receiver: Receiver

beforeAll(async () => {
  installation = await createMigratedInstallation({ TRADEPOST_WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' })
  receiver = await openReceiver()
})
afterAll(async () => {
  await installation.close()
  await receiver.close()
})

const EVENTS = 5

test('kill -9 right after a replay was answered loses no delivery, and a repeated replay creates none', async () => {
  let server = await installation.start()
  const target = targetOf(server)
  for (let n = 0; n < EVENTS; n++) {
    const body = { email: `missed-${n}@example.com` }
    expectStatus(await call(target, 'POST', '/customers', { body }))
  }
  const hook = { url: receiver.url, events: ['customer.created'] }
  const { webhook } = (await call(target, 'POST', '/webhooks', { body: hook })).json
  const body = { since: fromNow(-3_600_000) }
  const path = `/webhooks/${webhook.id}/replay`
  expect((await call(target, 'POST', path, { body })).json.queued).toBe(EVENTS)
  server.signal('SIGKILL')
  expect(await server.ended).toBe('SIGKILL')

  server = await installation.start()
  const restarted = targetOf(server, target.key)
  expect((await call(restarted, 'POST', path, { body })).json.queued).toBe(0)
  const idsOf = () => new Set(receiver.received.map(({ headers }) => headers['service-event-id']))
  // An attempt that the kill interrupted is sent again when its lease ends, 30 s later.
  await until(() => idsOf().size === EVENTS)
  const { deliveries } = (await call(restarted, 'GET', '/events/deliveries')).json
  expect(deliveries).toHaveLength(EVENTS)
  server.signal('SIGTERM')
  expect(await server.ended).toBe(0)
})
