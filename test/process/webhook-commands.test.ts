import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest'
import { verify } from '../../sdk/webhooks/index.ts'
import type { Json } from '../harness.ts'
import { openReceiver, type Receiver } from '../receiver.ts'
import { until } from '../until.ts'
import { call, targetOf } from './client.ts'
import { freshDatabase, settingsFor, sharedPostgres } from './real-postgres.ts'
import {
  createMigratedInstallation,
  type Installation,
  linesOf,
  type Server,
} from './spawn-server.ts'

const requirePostgres = sharedPostgres()
let receiver: Receiver

beforeAll(async () => {
  receiver = await openReceiver()
})
afterAll(() => receiver.close())

/** The status of the answer for an endpoint: 404 once it was deleted. */
const statusOf = async (server: Server, id: string): Promise<number> =>
  (await call(targetOf(server), 'GET', `/webhooks/${id}`)).status
/** Runs the work with an installation whose database is on a database server. */
async function onDatabaseServer(
  context: TestContext,
  work: (installation: Installation) => Promise<void>,
) {
  const database = await freshDatabase(requirePostgres(context))
  const installation = await createMigratedInstallation(settingsFor(database.url))
  try {
    await work(installation)
  } finally {
    await installation.close()
    await database.drop()
  }
}

const startListener = (installation: Installation, server: Server) =>
  installation.spawn([
    'webhooks',
    'listen',
    '--store',
    server.live.id,
    '--forward',
    receiver.url,
    '--json',
  ])

/** Runs a listener until Ctrl+C, next to a server that may not send to this machine itself. */
async function expectListenerRelays(installation: Installation): Promise<void> {
  const server = await installation.start({ TRADEPOST_WEBHOOK_ALLOWED_HOSTS: 'other.example' })
  const listener = startListener(installation, server)
  await until(() => linesOf(listener).length === 1)
  const [opened] = linesOf(listener)
  expect(opened).toEqual({
    endpoint: expect.stringMatching(/^we_/),
    secret: expect.stringMatching(/^whsec_/),
  })
  const before = receiver.received.length
  await installation.run(['webhooks', 'trigger', 'order.created', '--store', server.live.id])
  await until(() => linesOf(listener).length === 2)
  const [relayed] = receiver.received.slice(before)
  const event = await verify(relayed?.body ?? '', relayed?.headers ?? {}, opened.secret)
  expect(linesOf(listener)[1]).toMatchObject({ type: 'order.created', id: event.id, status: 200 })
  expect(await statusOf(server, opened.endpoint)).toBe(200)

  listener.signal('SIGINT')
  expect(await listener.ended).toBe(0)
  expect(listener.stderr()).toBe('')
  expect(await statusOf(server, opened.endpoint)).toBe(404)
  server.signal('SIGTERM')
  expect(await server.ended).toBe(0)
}

describe('webhooks listen', () => {
  test('relays an event of a server with the embedded database, and deletes its endpoint after Ctrl+C', async () => {
    const installation = await createMigratedInstallation()
    try {
      await expectListenerRelays(installation)
    } finally {
      await installation.close()
    }
  })

  test('relays an event of a server with a database server, and deletes its endpoint after Ctrl+C', (context: TestContext) =>
    onDatabaseServer(context, expectListenerRelays))

  test('relays an event that was recorded while the server was down, after the server has restarted', async () => {
    const installation = await createMigratedInstallation({
      TRADEPOST_WEBHOOK_ALLOWED_HOSTS: 'other.example',
    })
    try {
      const first = await installation.start()
      const listener = startListener(installation, first)
      await until(() => linesOf(listener).length === 1)
      const trigger = ['webhooks', 'trigger', 'order.created', '--store', first.live.id, '--json']
      first.signal('SIGKILL')
      await first.ended
      // No server runs, so this command opens the database itself.
      const { code, stdout, stderr } = await installation.run(trigger)
      expect(code, stderr).toBe(0)
      const second = await installation.start()
      await until(() => linesOf(listener).length === 2)
      expect(linesOf(listener)[1].id).toBe(JSON.parse(stdout).event)
      listener.signal('SIGTERM')
      expect(await listener.ended).toBe(0)
      second.signal('SIGTERM')
      expect(await second.ended).toBe(0)
    } finally {
      await installation.close()
    }
  })

  test('is refused if no server runs, and names the command that starts it', async () => {
    const installation = await createMigratedInstallation()
    try {
      const line = ['webhooks', 'listen', '--store', 'nobody000000', '--forward', receiver.url]
      const { code, stdout, stderr } = await installation.run(line)
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toBe('The server is not running. Start it with: tradepost start\n')
    } finally {
      await installation.close()
    }
  })
})

test('webhooks resend prints its progress, reports a server that stops, and prints only the result with --json', async () => {
  const installation = await createMigratedInstallation()
  try {
    const server = await installation.start()
    const target = targetOf(server)
    const body = { url: receiver.url, events: ['order.created'] }
    const { json } = await call(target, 'POST', '/webhooks', { body })
    receiver.answer((response) => response.writeHead(500).end())
    for (let n = 0; n < 4; n++) await call(target, 'POST', `/webhooks/${json.webhook.id}/test`)
    const since = ['--failed-since', '2h', '--samples']
    const resend = ['webhooks', 'resend', ...since, '--store', server.live.id]
    receiver.answer((response) => {
      setTimeout(() => response.writeHead(500).end(), 1_800)
    })
    const withText = await installation.run(resend)
    expect(withText).toMatchObject({ code: 0, stdout: '0 arrived, 4 failed again.\n' })
    expect(withText.stderr).toMatch(/^\d of 4, \d\.\d a second, \d failed, \d+ s left$/m)

    const interrupted = installation.spawn(resend)
    await receiver.until(receiver.received.length + 1)
    server.signal('SIGTERM')
    expect(await server.ended).toBe(0)
    expect(await interrupted.ended).toBe(1)
    expect(interrupted.stderr()).toBe('Stopped after 1 of 4 deliveries. Repeat the command.\n')

    const restarted = await installation.start()
    const log = await call({ ...target, origin: restarted.origin }, 'GET', '/events/deliveries')
    // Every delivery has a first attempt and a resend. One also has the attempt that ran at SIGTERM.
    expect(log.json.deliveries.map(({ attempts }: Json) => attempts).sort()).toEqual([2, 2, 2, 3])
    receiver.answer((response) => response.end('ok'))
    const withJson = await installation.run([...resend, '--json'])
    expect(withJson).toEqual({ code: 0, stdout: '{"resent":4,"failed":0}\n', stderr: '' })
  } finally {
    await installation.close()
  }
})

test('webhooks resend may send to this machine if a demo uses the same database server', (context: TestContext) =>
  onDatabaseServer(context, async (installation) => {
    const server = await installation.start()
    const target = targetOf(server)
    const body = { url: receiver.url, events: ['order.created'] }
    const { json } = await call(target, 'POST', '/webhooks', { body })
    receiver.answer((response) => response.writeHead(500).end())
    await call(target, 'POST', `/webhooks/${json.webhook.id}/test`)
    receiver.answer((response) => response.end('ok'))
    const resend = ['webhooks', 'resend', '--failed-since', '2h', '--samples', '--json']
    const { stdout } = await installation.run([...resend, '--store', server.live.id])
    expect(JSON.parse(stdout)).toEqual({ resent: 1, failed: 0 })
  }))
