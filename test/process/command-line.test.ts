import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest'
import { fromNow_ms } from '../clock.ts'
import type { Json } from '../harness.ts'
import type { Unavailable } from '../postgres/server.ts'
import { isReached } from '../until.ts'
import { call, type Reply } from './client.ts'
import {
  type FreshDatabase,
  freshDatabase,
  openPostgres,
  postgresOrSkip,
  type RealPostgres,
  settingsFor,
} from './real-postgres.ts'
import {
  createInstallation,
  createMigratedInstallation,
  type Installation,
  type RunResult,
  type Server,
} from './spawn-server.ts'

/** KILLS=20 runs the long forms: every refused line, and every command in every setup. */
const LONG = process.env.KILLS !== undefined

let postgres: RealPostgres | Unavailable

beforeAll(async () => {
  postgres = await openPostgres()
})

const STACK = /^\s+at .+[:(]\d+/m

/** Returns the JSON value on standard output of a successful command, which prints nothing else. */
function answerOf({ code, stdout, stderr }: RunResult): Json {
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout.trimEnd().split('\n').length).toBe(1)
  return JSON.parse(stdout)
}

/** Returns the exit code and the message of a refused command, which prints nothing else. */
function refusalOf({ code, stdout, stderr }: RunResult): {
  code: RunResult['code']
  stderr: string
} {
  expect(stdout).toBe('')
  expect(stderr.trim()).not.toBe('')
  expect(stderr).not.toMatch(STACK)
  return { code, stderr }
}

const runJson = (installation: Installation, line: string) =>
  installation.run([...line.split(' '), '--json'])
const runPlain = (installation: Installation, line: string) => installation.run(line.split(' '))

describe.concurrent('next to a running server with the embedded database', () => {
  let installation: Installation
  let server: Server

  beforeAll(async () => {
    installation = await createMigratedInstallation()
    server = await installation.start()
  })
  afterAll(() => installation.close())

  test('every command answers, and the server applies its changes at once', async () => {
    await runEveryCommand(installation, (key, store) => listProducts(server, key, store))
  })

  test('migrate applies no migration', async () => {
    const { from, to, applied } = answerOf(await runJson(installation, 'migrate'))
    expect({ from, applied }).toEqual({ from: to, applied: [] })
  })

  test('a refused command exits 1, an invalid command line exits 2, and both print the reason', async () => {
    const live = `--store ${server.live.id}`
    const refused: [string, RegExp][] = [
      ['keys list --store nobody000000', /no store nobody000000/],
      ['keys revoke 4711', /no key 4711/],
      [`clock advance ${live} 90m`, /live store/],
      ['stores set-plan --store nobody000000 --plan free', /no store/],
      ['keys revoke abc', /no key abc/],
      [`keys create ${live} --store ${server.test.id} --permissions all`, /one side/],
    ]
    const invalid: [string, RegExp][] = [
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
      ...invalid.slice(0, LONG ? undefined : 4).map((item) => [...item, 2] as const),
    ]
    for (const [line, reason, exitCode] of lines) {
      const { code, stderr } = refusalOf(await installation.run(line.split(' ').filter(Boolean)))
      expect({ line, code }).toEqual({ line, code: exitCode })
      expect(stderr).toMatch(reason)
    }
  })

  test('a command without --json prints text for people', async () => {
    const created = await runPlain(installation, 'stores create --name Corner')
    expect(created).toMatchObject({ code: 0, stderr: '' })
    for (const side of ['live', 'test']) {
      const key = `${side}_[0-9A-Za-z]{40}`
      const lines = `store id  (\\S{12})\n  API key   sk_${key}\n  security  sec_${key}\n  app       app_`
      expect(created.stdout).toMatch(new RegExp(`${side} side\n  ${lines}`, 'i'))
    }
    const [, store] = /store id {2}(\S{12})/.exec(created.stdout) ?? []
    const { stdout: keys } = await runPlain(installation, `keys list --store ${store}`)
    expect(keys).toMatch(/^\d+ {2}sk_live_….{4} {2}First key {2}active\n\d+ {2}sec_live_…/)
    const doctor = await runPlain(installation, 'doctor')
    expect(doctor).toMatchObject({ code: 0, stderr: '' })
    expect(doctor.stdout).toMatch(/^ok {4}/m)
  })
})

test.concurrent('a command opens the embedded database itself if no server runs', async () => {
  const installation = await createInstallation()
  try {
    const migrated = answerOf(await runJson(installation, 'migrate --dry-run'))
    expect(migrated.from).toBe(0)
    expect(migrated.applied.length).toBe(migrated.to)
    expect((await installation.run(['migrate', '--dry-run'])).stdout).toBe(
      [`From 0 to ${migrated.to} migrations:`, ...migrated.applied, ''].join('\n  ').trimEnd() +
        '\n',
    )
    expect(answerOf(await runJson(installation, 'migrate'))).toEqual(migrated)
    const { live } = answerOf(await runJson(installation, 'stores create --name Alone'))
    const keys = answerOf(await runJson(installation, `keys list --store ${live.id}`))
    expect(keys.map((key: Json) => key.kind).sort()).toEqual(['security', 'store'])
    expect(answerOf(await runJson(installation, 'doctor')).ok).toBe(true)
    if (LONG) await runEveryCommand(installation)
  } finally {
    await installation.close()
  }
})

describe.concurrent('with a database server', () => {
  let database: FreshDatabase | undefined
  let installation: Installation | undefined

  beforeAll(async () => {
    if ('unavailable' in postgres) return
    database = await freshDatabase(postgres)
    installation = await createInstallation(settingsFor(database.url))
  })
  afterAll(async () => {
    await installation?.close()
    await database?.drop()
  })

  function installationOrSkip(context: TestContext): Installation {
    postgresOrSkip(context, postgres)
    if (!installation) throw new Error('The installation was not created.')
    return installation
  }

  test('commands answer before a server starts, and every command next to a server, which applies changes within 5 s', async (context) => {
    const own = installationOrSkip(context)
    const migrated = answerOf(await runJson(own, 'migrate'))
    expect(migrated).toMatchObject({ from: 0, to: migrated.applied.length })
    answerOf(await runJson(own, 'stores create --name Before'))
    const server = await own.start()
    await runEveryCommand(own, (key, store) => listProducts(server, key, store), 6_000)
    server.signal('SIGTERM')
    expect(await server.ended).toBe(0)
  })

  test('an unreachable database is reported without its password, and exits 1', async () => {
    const own = await createInstallation(
      settingsFor('postgres://shop:not-for-logs@127.0.0.1:1/shop'),
    )
    try {
      const { code, stderr } = refusalOf(await runJson(own, 'migrate'))
      expect(code).toBe(1)
      expect(stderr).not.toContain('not-for-logs')
    } finally {
      await own.close()
    }
  })
})

type ProductLister = (key: string, store: string) => Promise<Reply>

const listProducts = ({ origin }: Server, key: string, store: string): Promise<Reply> =>
  call({ origin, store, key }, 'GET', '/products')

/**
 * Creates a store, and changes its plan, features, keys and clock, by the command line alone. `list` calls the
 * running server, which caches keys and stores for `cached_ms`.
 */
async function runEveryCommand(
  installation: Installation,
  list?: ProductLister,
  cached_ms = 0,
): Promise<void> {
  const side = (livemode: boolean) => ({
    id: expect.stringMatching(/^[0-9A-Za-z]{12}$/),
    slug: expect.stringMatching(/^corner-shop/),
    livemode,
    api_key: expect.stringMatching(/^sk_(live|test)_[0-9A-Za-z]{40}$/),
  })
  const create = ['stores', 'create', '--name', 'Corner shop', '--currency', 'EUR', '--json']
  const created = answerOf(await installation.run(create))
  expect(created).toMatchObject({ live: side(true), test: side(false) })
  const { live, test: sandbox } = created

  const limits = '--expires-at 2099-01-31T00:00:00Z --allowed-ips 127.0.0.1,10.0.0.0/8'
  const options = `--permissions products:read,orders:read ${limits} --rate-limit 0 --name Till`
  const key = answerOf(await runJson(installation, `keys create --store ${live.id} ${options}`))
  expect(key).toMatchObject({
    id: expect.any(Number),
    key: expect.stringMatching(/^sk_live_[0-9A-Za-z]{40}$/),
    permissions: ['products:read', 'orders:read'],
    expires_at: expect.stringMatching(/^2099-01-31T00:00:00/),
    allowed_ips: ['127.0.0.1', '10.0.0.0/8'],
    rate_limit: 0,
  })
  if (list) expect((await list(key.key, live.id)).status).toBe(200)

  const keys = answerOf(await runJson(installation, `keys list --store ${live.id}`))
  expect(keys.map(({ id }: Json) => id)).toContain(key.id)
  expect(JSON.stringify(keys)).not.toContain(key.key)

  const revoked = answerOf(await runJson(installation, `keys revoke ${key.id}`))
  expect(revoked).toMatchObject({ id: key.id, revoked_at: expect.stringMatching(/Z$/) })
  if (list) await expectStatus(async () => (await list(key.key, live.id)).status, 401, cached_ms)

  const setFeatures = `features set --store ${live.id} affiliates=on,shipping=off`
  expect(answerOf(await runJson(installation, setFeatures))).toMatchObject({
    id: live.id,
    features: { affiliates: true, shipping: false },
  })
  const setPlan = `stores set-plan --store ${live.id} --plan free`
  expect(answerOf(await runJson(installation, setPlan))).toEqual({ id: live.id, plan: 'free' })
  if (list)
    await expectStatus(async () => (await list(live.api_key, live.id)).status, 403, cached_ms)

  const advanced = answerOf(await runJson(installation, `clock advance --store ${sandbox.id} 90m`))
  expect(advanced.id).toBe(sandbox.id)
  const ahead_ms = Date.parse(advanced.now) - fromNow_ms(0)
  expect(ahead_ms).toBeGreaterThan(80 * 60_000)
  expect(ahead_ms).toBeLessThanOrEqual(90 * 60_000)

  const { ok, findings } = answerOf(await runJson(installation, 'doctor'))
  expect(ok).toBe(true)
  for (const finding of findings) {
    expect(Object.keys(finding).sort()).toEqual(['check', 'cure', 'detail', 'ok'])
  }
}

/** Expects a status within this many milliseconds, or of the first call if the number is 0. */
async function expectStatus(readStatus: () => Promise<number>, status: number, within_ms: number) {
  let answered = 0
  await isReached(async () => {
    answered = await readStatus()
    return answered === status
  }, within_ms)
  expect(answered).toBe(status)
}

test('an option that a running server of an earlier release would ignore is refused', async () => {
  const installation = await createMigratedInstallation()
  try {
    await installation.start()
    const file = join(installation.dataDir, 'tradepost.lock')
    const { protocol: _, ...earlierLock } = JSON.parse(await readFile(file, 'utf8'))
    await writeFile(file, JSON.stringify(earlierLock))
    const line = 'webhooks resend --test --failed-since 2h'
    expect(refusalOf(await runPlain(installation, `${line} --endpoint none`))).toEqual({
      code: 1,
      stderr: expect.stringContaining('earlier release, which does not have --endpoint <id>'),
    })
    expect(answerOf(await runJson(installation, line))).toEqual({ resent: 0, failed: 0 })
  } finally {
    await installation.close()
  }
})
