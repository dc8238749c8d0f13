import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest'
import { verify } from '../../sdk/webhooks/index.ts'
import type { Json } from '../harness.ts'
import type { Unavailable } from '../postgres/server.ts'
import { openReceiver, type Receiver } from '../receiver.ts'
import { call, type Target } from './client.ts'
import {
  closePostgres,
  freshDatabase,
  openPostgres,
  postgresOrSkip,
  type RealPostgres,
} from './real-postgres.ts'
import {
  createMigratedInstallation,
  type Installation,
  type Running,
  type Server,
} from './spawn-server.ts'

const SLOW_MS = 120_000

let postgres: RealPostgres | Unavailable
let receiver: Receiver

beforeAll(async () => {
  postgres = await openPostgres()
  receiver = await openReceiver()
})
afterAll(async () => {
  await receiver.close()
  await closePostgres(postgres)
})

const targetOf = ({ origin, live }: Server): Target => ({
  origin,
  store: live.id,
  key: live.api_key ?? '',
})
const endpointsOf = async (server: Server): Promise<Json[]> =>
  (await call(targetOf(server), 'GET', '/webhooks')).json.webhooks
const linesOf = ({ stdout }: Running): Json[] =>
  stdout()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  const end = Date.now() + 15_000
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error('It did not come about.')
    await pause(50)
  }
}

/** In a place on an empty database of a server. */
async function onServer(context: TestContext, work: (installation: Installation) => Promise<void>) {
  const database = await freshDatabase(postgresOrSkip(context, postgres))
  const installation = await createMigratedInstallation({
    DATABASE_URL: database.url,
    TRADEPOST_SECRETS_KEY: randomBytes(32).toString('base64'),
  })
  try {
    await work(installation)
  } finally {
    await installation.close()
    await database.drop()
  }
}

const listen = (installation: Installation, server: Server) =>
  installation.spawn([
    'webhooks',
    'listen',
    '--store',
    server.live.id,
    '--forward',
    receiver.url,
    '--json',
  ])

/** From the first line to Ctrl+C, next to a server that may not send to this machine. */
async function listening(installation: Installation): Promise<void> {
  const server = await installation.start({ TRADEPOST_WEBHOOK_ALLOWED_HOSTS: 'nobody.example' })
  const listener = listen(installation, server)
  await until(() => linesOf(listener).length === 1)
  const [opened] = linesOf(listener)
  expect(opened).toEqual({
    endpoint: expect.stringMatching(/^we_/),
    secret: expect.stringMatching(/^whsec_/),
  })
  const before = receiver.received.length
  await installation.run(['webhooks', 'trigger', 'order.created', '--store', server.live.id])
  await until(() => linesOf(listener).length === 2)
  const [arrived] = receiver.received.slice(before)
  if (!arrived) throw new Error('Nothing arrived.')
  const event = await verify(arrived.body, arrived.headers, opened.secret)
  expect(linesOf(listener)[1]).toMatchObject({ type: 'order.created', id: event.id, status: 200 })
  expect((await endpointsOf(server)).map(({ id }) => id)).toEqual([opened.endpoint])

  listener.signal('SIGINT')
  expect(await listener.ended).toBe(0)
  expect(listener.stderr()).toBe('')
  expect(await endpointsOf(server)).toEqual([])
  server.signal('SIGTERM')
  expect(await server.ended).toBe(0)
}

describe('webhooks listen', () => {
  test(
    'takes events of the embedded database from the running server',
    async () => {
      const installation = await createMigratedInstallation()
      try {
        await listening(installation)
      } finally {
        await installation.close()
      }
    },
    SLOW_MS,
  )

  test(
    'takes events of a database server',
    (context: TestContext) => onServer(context, listening),
    SLOW_MS,
  )

  test(
    'goes on when the server is started anew, and misses nothing',
    async () => {
      const installation = await createMigratedInstallation({
        TRADEPOST_WEBHOOK_ALLOWED_HOSTS: 'nobody.example',
      })
      try {
        const first = await installation.start()
        const listener = listen(installation, first)
        await until(() => linesOf(listener).length === 1)
        const trigger = ['webhooks', 'trigger', 'order.created', '--store', first.live.id, '--json']
        first.signal('SIGKILL')
        await first.ended
        // No server runs: this command opens the database itself.
        const { stdout } = await installation.run(trigger)
        const second = await installation.start()
        await until(() => linesOf(listener).length === 2)
        expect(linesOf(listener)[1].id).toBe(JSON.parse(stdout).event)
        listener.signal('SIGTERM')
        expect(await listener.ended).toBe(0)
        second.signal('SIGTERM')
        await second.ended
      } finally {
        await installation.close()
      }
    },
    SLOW_MS,
  )

  test(
    'says that the shop is closed where it is',
    async () => {
      const installation = await createMigratedInstallation()
      try {
        const line = ['webhooks', 'listen', '--store', 'nobody000000', '--forward', receiver.url]
        const { code, stdout, stderr } = await installation.run(line)
        expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
        expect(stderr).toBe('The shop is closed; open it with: tradepost start\n')
      } finally {
        await installation.close()
      }
    },
    SLOW_MS,
  )
})

test(
  'webhooks resend reports its progress while the server works, with --json only the result',
  async () => {
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
      const shown = await installation.run(resend)
      expect(shown).toMatchObject({ code: 0, stdout: '0 arrived, 4 failed again.\n' })
      expect(shown.stderr).toMatch(/^\d of 4, \d\.\d a second, \d failed, \d+ s left$/m)

      const cut = installation.spawn(resend)
      await receiver.until(receiver.received.length + 1, 15_000)
      server.signal('SIGTERM')
      expect(await server.ended).toBe(0)
      expect(await cut.ended).toBe(1)
      expect(cut.stderr()).toBe('Stopped after 1 of 4; repeat it.\n')

      const again = await installation.start()
      const log = await call({ ...target, origin: again.origin }, 'GET', '/events/deliveries')
      // The attempt that was under way is in the log: the first, the resend, and this one.
      expect(log.json.deliveries.map(({ attempts }: Json) => attempts).sort()).toEqual([2, 2, 2, 3])
      receiver.answer((response) => response.end('ok'))
      const quiet = await installation.run([...resend, '--json'])
      expect(quiet).toEqual({ code: 0, stdout: '{"resent":4,"failed":0}\n', stderr: '' })
    } finally {
      await installation.close()
    }
  },
  SLOW_MS,
)

test(
  'a command next to a demo on a database server sends to this machine, as the demo does',
  (context: TestContext) =>
    onServer(context, async (installation) => {
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
    }),
  SLOW_MS,
)
