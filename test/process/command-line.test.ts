import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest'
import type { Json } from '../harness.ts'
import type { Unavailable } from '../postgres/server.ts'
import { call, type Reply } from './client.ts'
import {
  closePostgres,
  type FreshDatabase,
  freshDatabase,
  openPostgres,
  postgresOrSkip,
  type RealPostgres,
} from './real-postgres.ts'
import {
  createInstallation,
  createMigratedInstallation,
  type Installation,
  type Ran,
  type Server,
} from './spawn-server.ts'

/** KILLS=20 asks for the long forms: here every wrong line, and every command in every place. */
const LONG = process.env.KILLS !== undefined
const SLOW_MS = 120_000

let postgres: RealPostgres | Unavailable

beforeAll(async () => {
  postgres = await openPostgres()
})
afterAll(() => closePostgres(postgres))

const STACK = /^\s+at .+[:(]\d+/m

/** The one JSON value on standard output, of a command that went well and said nothing else. */
function answerOf({ code, stdout, stderr }: Ran): Json {
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout.trimEnd().split('\n').length).toBe(1)
  return JSON.parse(stdout)
}

/** The output of a refused or misused command: a sentence on standard error, and nothing else. */
function refusalOf({ code, stdout, stderr }: Ran): { code: Ran['code']; stderr: string } {
  expect(stdout).toBe('')
  expect(stderr.trim()).not.toBe('')
  expect(stderr).not.toMatch(STACK)
  return { code, stderr }
}

const json = (installation: Installation, line: string) =>
  installation.run([...line.split(' '), '--json'])
const plain = (installation: Installation, line: string) => installation.run(line.split(' '))

describe.concurrent('with the embedded database of a running server', () => {
  let installation: Installation
  let server: Server

  beforeAll(async () => {
    installation = await createMigratedInstallation()
    server = await installation.start()
  }, SLOW_MS)
  afterAll(() => installation.close())

  test(
    'every command answers, and the server knows at once',
    async () => {
      await everyCommand(installation, (key, store) => callOf(server, key, store))
    },
    SLOW_MS,
  )

  test('migrate says that there is nothing to do', async () => {
    const { from, to, applied } = answerOf(await json(installation, 'migrate'))
    expect({ from, applied }).toEqual({ from: to, applied: [] })
  })

  test(
    'a refused command exits 1, a misused one exits 2, and both print the reason',
    async () => {
      const live = `--store ${server.live.id}`
      const refused: [string, RegExp][] = [
        ['keys list --store nobody000000', /no store nobody000000/],
        ['keys revoke 4711', /no key 4711/],
        [`clock advance ${live} 90m`, /live store/],
        ['stores set-plan --store nobody000000 --plan free', /no store/],
        ['keys revoke abc', /no key abc/],
        [`keys create ${live} --store ${server.test.id} --permissions all`, /one side/],
      ]
      const wrong: [string, RegExp][] = [
        ['sell', /unknown command|Usage/],
        ['', /^ {2}keys {2,}create, revoke, list$/m],
        ['stores create', /--name/],
        ['stores create --name Shop --currency euro', /--currency/],
        [`features set ${live} affiliates=maybe`, /affiliates=maybe/],
        [`keys create ${live} --permissions orders:eat`, /orders:eat/],
        ['doctor --please', /--please/],
        ['keys sell', /unknown command|Usage/],
        ['stores create --name Shop --plan golden', /--plan/],
        [`stores set-plan ${live} --plan golden`, /--plan/],
        [`features set ${live} flying=on`, /flying=on/],
        [`keys create ${live}`, /--permissions/],
        [`keys create ${live} --permissions all --allowed-ips 10.0.0.0/99`, /--allowed-ips/],
        [`keys create ${live} --permissions all --expires-at tomorrow`, /--expires-at/],
        [`keys create ${live} --permissions all --rate-limit -1`, /--rate-limit/],
        [`clock advance --store ${server.test.id} 90x`, /90m/],
      ]
      const lines = [
        ...refused.slice(0, LONG ? undefined : 2).map((item) => [...item, 1] as const),
        ...wrong.slice(0, LONG ? undefined : 4).map((item) => [...item, 2] as const),
      ]
      for (const [line, why, exitCode] of lines) {
        const { code, stderr } = refusalOf(await installation.run(line.split(' ').filter(Boolean)))
        expect({ line, code }).toEqual({ line, code: exitCode })
        expect(stderr).toMatch(why)
      }
    },
    SLOW_MS,
  )

  test(
    'without --json it prints for people',
    async () => {
      const made = await plain(installation, 'stores create --name Corner')
      expect(made).toMatchObject({ code: 0, stderr: '' })
      for (const side of ['live', 'test']) {
        const key = `${side}_[0-9A-Za-z]{40}`
        const lines = `store id  (\\S{12})\n  API key   sk_${key}\n  security  sec_${key}\n  app       app_`
        expect(made.stdout).toMatch(new RegExp(`${side} side\n  ${lines}`, 'i'))
      }
      const [, store] = /store id {2}(\S{12})/.exec(made.stdout) ?? []
      const { stdout: keys } = await plain(installation, `keys list --store ${store}`)
      expect(keys).toMatch(/^\d+ {2}sk_live_….{4} {2}First key {2}active\n\d+ {2}sec_live_…/)
      const examined = await plain(installation, 'doctor')
      expect(examined).toMatchObject({ code: 0, stderr: '' })
      expect(examined.stdout).toMatch(/^ok {4}/m)
    },
    SLOW_MS,
  )
})

test.concurrent(
  'with the embedded database and no server a command opens it itself',
  async () => {
    const installation = await createInstallation()
    try {
      const migrated = answerOf(await json(installation, 'migrate --dry-run'))
      expect(migrated.from).toBe(0)
      expect(migrated.applied.length).toBe(migrated.to)
      expect(answerOf(await json(installation, 'migrate'))).toEqual(migrated)
      const { live } = answerOf(await json(installation, 'stores create --name Alone'))
      const keys = answerOf(await json(installation, `keys list --store ${live.id}`))
      expect(keys.map((key: Json) => key.kind).sort()).toEqual(['security', 'store'])
      expect(answerOf(await json(installation, 'doctor')).ok).toBe(true)
      if (LONG) await everyCommand(installation)
    } finally {
      await installation.close()
    }
  },
  SLOW_MS,
)

describe.concurrent('with a database server', () => {
  let database: FreshDatabase | undefined
  let installation: Installation | undefined

  beforeAll(async () => {
    if ('unavailable' in postgres) return
    database = await freshDatabase(postgres)
    installation = await createInstallation({
      DATABASE_URL: database.url,
      TRADEPOST_SECRETS_KEY: randomBytes(32).toString('base64'),
    })
  }, SLOW_MS)
  afterAll(async () => {
    await installation?.close()
    await database?.drop()
  })

  function installationOrSkip(context: TestContext): Installation {
    postgresOrSkip(context, postgres)
    if (!installation) throw new Error('There is no place to run in.')
    return installation
  }

  test(
    'every command answers, without a server and with one, which knows within 5 s',
    async (context) => {
      const own = installationOrSkip(context)
      const migrated = answerOf(await json(own, 'migrate'))
      expect(migrated).toMatchObject({ from: 0, to: migrated.applied.length })
      answerOf(await json(own, 'stores create --name Before'))
      const server = await own.start()
      await everyCommand(own, (key, store) => callOf(server, key, store), 6_000)
      server.signal('SIGTERM')
      expect(await server.ended).toBe(0)
    },
    SLOW_MS,
  )

  test('a database that cannot be reached is a sentence without its password, and exits 1', async () => {
    const own = await createInstallation({
      DATABASE_URL: 'postgres://shop:not-for-logs@127.0.0.1:1/shop',
      TRADEPOST_SECRETS_KEY: randomBytes(32).toString('base64'),
    })
    try {
      const { code, stderr } = refusalOf(await json(own, 'migrate'))
      expect(code).toBe(1)
      expect(stderr).not.toContain('not-for-logs')
    } finally {
      await own.close()
    }
  })
})

type Caller = (key: string, store: string) => Promise<Reply>

const callOf = ({ origin }: Server, key: string, store: string): Promise<Reply> =>
  call({ origin, store, key }, 'GET', '/products')

/** A store, its plan, features, keys and clock, by the command line alone (running.md). */
async function everyCommand(
  installation: Installation,
  ask?: Caller,
  cached_ms = 0,
): Promise<void> {
  const side = (livemode: boolean) => ({
    id: expect.stringMatching(/^[0-9A-Za-z]{12}$/),
    slug: expect.stringMatching(/^by-hand/),
    livemode,
    api_key: expect.stringMatching(/^sk_(live|test)_[0-9A-Za-z]{40}$/),
  })
  const create = ['stores', 'create', '--name', 'By hand', '--currency', 'EUR', '--json']
  const made = answerOf(await installation.run(create))
  expect(made).toMatchObject({ live: side(true), test: side(false) })
  const { live, test: sandbox } = made

  const limits = '--expires-at 2099-01-31T00:00:00Z --allowed-ips 127.0.0.1,10.0.0.0/8'
  const options = `--permissions products:read,orders:read ${limits} --rate-limit 0 --name Till`
  const key = answerOf(await json(installation, `keys create --store ${live.id} ${options}`))
  expect(key).toMatchObject({
    id: expect.any(Number),
    key: expect.stringMatching(/^sk_live_[0-9A-Za-z]{40}$/),
    permissions: ['products:read', 'orders:read'],
    expires_at: expect.stringMatching(/^2099-01-31T00:00:00/),
    allowed_ips: ['127.0.0.1', '10.0.0.0/8'],
    rate_limit: 0,
  })
  if (ask) expect((await ask(key.key, live.id)).status).toBe(200)

  const listed = answerOf(await json(installation, `keys list --store ${live.id}`))
  expect(listed.map(({ id }: Json) => id)).toContain(key.id)
  expect(JSON.stringify(listed)).not.toContain(key.key)

  const revoked = answerOf(await json(installation, `keys revoke ${key.id}`))
  expect(revoked).toMatchObject({ id: key.id, revoked_at: expect.stringMatching(/Z$/) })
  if (ask) await expectSoon(async () => (await ask(key.key, live.id)).status, 401, cached_ms)

  const switched = `features set --store ${live.id} affiliates=on,shipping=off`
  expect(answerOf(await json(installation, switched))).toMatchObject({
    id: live.id,
    features: { affiliates: true, shipping: false },
  })
  const plan = `stores set-plan --store ${live.id} --plan free`
  expect(answerOf(await json(installation, plan))).toEqual({ id: live.id, plan: 'free' })
  if (ask) await expectSoon(async () => (await ask(live.api_key, live.id)).status, 403, cached_ms)

  const advanced = answerOf(await json(installation, `clock advance --store ${sandbox.id} 90m`))
  expect(advanced.id).toBe(sandbox.id)
  const ahead_ms = Date.parse(advanced.now) - Date.now()
  expect(ahead_ms).toBeGreaterThan(80 * 60_000)
  expect(ahead_ms).toBeLessThanOrEqual(90 * 60_000)

  const { ok, findings } = answerOf(await json(installation, 'doctor'))
  expect(ok).toBe(true)
  for (const finding of findings) {
    expect(Object.keys(finding).sort()).toEqual(['check', 'cure', 'detail', 'ok'])
  }
}

/** At once where nothing is cached, else within so many milliseconds. */
async function expectSoon(ask: () => Promise<number>, status: number, within_ms: number) {
  const until = Date.now() + within_ms
  let answer = await ask()
  while (answer !== status && Date.now() < until) answer = await ask()
  expect(answer).toBe(status)
}
