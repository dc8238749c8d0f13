import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Json, openTradepost, type Tradepost } from '../../../test/harness.ts'
import { openReceiver, type Receiver } from '../../../test/receiver.ts'
import type { CommandOutput, Progress } from '../../command.ts'
import { startDispatcher, webhookCommands } from './index.ts'

let tradepost: Tradepost
let receiver: Receiver

beforeAll(async () => {
  tradepost = await openTradepost()
  receiver = await openReceiver()
  await tradepost.post('/webhooks', { url: receiver.url, events: ['order.refunded'] })
})
afterAll(async () => {
  await receiver.close()
  await tradepost.close()
})

const run = (name: string, input: Json, output?: CommandOutput): Promise<Json> => {
  const command = webhookCommands.find((item) => item.name === `webhooks ${name}`)
  if (!command) throw new Error(`There is no command ${name}.`)
  return command.run(tradepost.app, { store: tradepost.live.id, ...input }, output)
}
const endpointId = async (): Promise<string> =>
  (await tradepost.get('/webhooks')).json.webhooks[0].id

test('trigger sends a sample to every subscribed endpoint', async () => {
  const off = { url: receiver.url, events: ['*'], enabled: false }
  const { id } = (await tradepost.post('/webhooks', off)).json.webhook
  const dispatcher = startDispatcher(tradepost.app)
  const { event, deliveries } = await run('trigger', { type: 'order.refunded' })
  await tradepost.delete(`/webhooks/${id}`)
  expect(deliveries).toBe(1)
  const [{ headers, body } = { headers: {}, body: '{}' }] = await receiver.until(1)
  await dispatcher.stop()
  expect(headers['service-event-id']).toBe(event)
  expect(JSON.parse(body)).toMatchObject({ id: event, type: 'order.refunded', livemode: false })
})

test('trigger refuses an unknown type', async () => {
  await expect(run('trigger', { type: 'order.lost' })).rejects.toMatchObject({ exitCode: 2 })
})

test('resend sends again what failed in the time that is named, and nothing else', async () => {
  const { json } = await tradepost.get('/webhooks')
  const { id } = json.webhooks[0]
  receiver.answer((response) => response.writeHead(500).end())
  await tradepost.post(`/webhooks/${id}/test`)
  receiver.answer((response) => response.end('ok'))
  const before = receiver.received.length
  expect(await run('resend', { failedSince: '2h', samples: true })).toEqual({
    resent: 1,
    failed: 0,
  })
  expect(receiver.received).toHaveLength(before + 1)
  expect(await run('resend', { failedSince: '2h', samples: true })).toEqual({
    resent: 0,
    failed: 0,
  })
})

test('resend reports its progress after each delivery, and stops when the caller has left', async () => {
  const id = await endpointId()
  receiver.answer((response) => response.writeHead(500).end())
  for (let n = 0; n < 3; n++) await tradepost.post(`/webhooks/${id}/test`)
  const said: Progress[] = []
  const leaving = new AbortController()
  const leaveAfterTwo = (progress: Progress) => {
    if (said.push(progress) === 2) leaving.abort()
  }
  const left = run(
    'resend',
    { failedSince: '2h', samples: true },
    { emit: leaveAfterTwo, signal: leaving.signal },
  )
  await expect(left).rejects.toThrow('Stopped after 2 of 3')

  said.length = 0
  receiver.answer((response) => response.end('ok'))
  const output = {
    emit: (item: Progress) => void said.push(item),
    signal: new AbortController().signal,
  }
  expect(await run('resend', { failedSince: '2h', samples: true }, output)).toEqual({
    resent: 3,
    failed: 0,
  })
  expect(said).toEqual([1, 2, 3].map((done) => ({ done, total: 3, failed: 0 })))
})
