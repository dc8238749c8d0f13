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

test('trigger sends a sample to every subscribed endpoint that is on', async () => {
  const disabledEndpoint = { url: receiver.url, events: ['*'], enabled: false }
  const { id } = (await tradepost.post('/webhooks', disabledEndpoint)).json.webhook
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

test('resend sends the failed deliveries of the given period again, and each only until it succeeds', async () => {
  const id = await endpointId()
  receiver.answer((response) => response.writeHead(500).end())
  await tradepost.post(`/webhooks/${id}/test`)
  receiver.answer((response) => response.end('ok'))
  const receivedBefore = receiver.received.length
  expect(await run('resend', { failedSince: '2h', samples: true })).toEqual({
    resent: 1,
    failed: 0,
  })
  expect(receiver.received).toHaveLength(receivedBefore + 1)
  expect(await run('resend', { failedSince: '2h', samples: true })).toEqual({
    resent: 0,
    failed: 0,
  })
})

test('a resend of one delivery refuses the options that select failed deliveries', async () => {
  for (const option of [{ endpoint: await endpointId() }, { samples: true }])
    await expect(run('resend', { delivery: '5', ...option })).rejects.toMatchObject({ exitCode: 2 })
})

test('resend reports its progress after each delivery, and stops when the caller disconnects', async () => {
  const id = await endpointId()
  receiver.answer((response) => response.writeHead(500).end())
  for (let n = 0; n < 3; n++) await tradepost.post(`/webhooks/${id}/test`)
  const reports: Progress[] = []
  const disconnection = new AbortController()
  const disconnectAfterTwo = (progress: Progress) => {
    if (reports.push(progress) === 2) disconnection.abort()
  }
  const stoppedResend = run(
    'resend',
    { failedSince: '2h', samples: true },
    { emit: disconnectAfterTwo, signal: disconnection.signal },
  )
  await expect(stoppedResend).rejects.toThrow('Stopped after 2 of 3')

  reports.length = 0
  receiver.answer((response) => response.end('ok'))
  const output = {
    emit: (item: Progress) => void reports.push(item),
    signal: new AbortController().signal,
  }
  expect(await run('resend', { failedSince: '2h', samples: true }, output)).toEqual({
    resent: 3,
    failed: 0,
  })
  expect(reports).toEqual([1, 2, 3].map((done) => ({ done, total: 3, failed: 0 })))
})
