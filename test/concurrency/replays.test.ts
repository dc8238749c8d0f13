import { expect, test } from 'vitest'
import { fromNow } from '../clock.ts'
import { call } from '../process/client.ts'
import { sharedDatabase } from './shared-database.ts'

const database = sharedDatabase({
  env: { TRADEPOST_WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' },
})

const EVENTS = 20

test('concurrent replays to two endpoints create one delivery of each event for each endpoint', async (context) => {
  const { targets } = await database.openStore(context)
  const [target] = targets
  for (let n = 0; n < EVENTS; n++)
    await call(target, 'POST', '/customers', { body: { email: `missed-${n}@example.com` } })
  const endpointIds: string[] = []
  for (let n = 0; n < 2; n++) {
    const body = { url: `http://127.0.0.1:4999/${n}`, events: ['customer.created'] }
    endpointIds.push((await call(target, 'POST', '/webhooks', { body })).json.webhook.id)
  }
  const body = { since: fromNow(-3_600_000) }
  const calls = [0, 1, 2, 3, 4, 5].map((n) =>
    call(targets[n % targets.length] ?? target, 'POST', `/webhooks/${endpointIds[n % 2]}/replay`, {
      body,
    }),
  )
  const answers = await Promise.all(calls)
  expect(answers.map(({ status }) => status)).toEqual(new Array(6).fill(200))
  const queued = answers.reduce((sum, { json }) => sum + json.queued, 0)
  expect(queued).toBe(2 * EVENTS)
  const { deliveries } = (await call(target, 'GET', '/events/deliveries?limit=100')).json
  const pairs = deliveries.map((item: { event: { id: string }; webhook: { id: string } }) =>
    [item.event.id, item.webhook.id].join(),
  )
  expect(new Set(pairs).size).toBe(2 * EVENTS)
})
