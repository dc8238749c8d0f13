import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask } from '../database.ts'
import { elapse, isReached, until } from '../until.ts'
import { call, targetOf } from './client.ts'
import {
  freshDatabase,
  openPostgres,
  postgresOrSkip,
  type RealPostgres,
  settingsFor,
} from './real-postgres.ts'
import { createInstallation, type Installation, type Server, type Side } from './spawn-server.ts'

let installation: Installation
let first: Server

beforeAll(async () => {
  installation = await createInstallation()
  first = await installation.start()
})
afterAll(() => installation.close())

const modeOf = async (file: string) => ((await stat(file)).mode & 0o777).toString(8)

/** Matches a line of a stack trace. */
const STACK = /^\s+at .+[:(]\d+/m

test('the first start writes its address and the first keys into the ready file, which only its owner can read', async () => {
  const side = (livemode: boolean) => {
    const mode = livemode ? 'live' : 'test'
    return {
      id: expect.stringMatching(/^[0-9A-Za-z]{12}$/),
      slug: 'demo',
      livemode,
      api_key: expect.stringMatching(new RegExp(`^sk_${mode}_[0-9A-Za-z]{40}$`)),
    }
  }
  const { version } = JSON.parse(await readFile('package.json', 'utf8'))
  expect(first.ready).toMatchObject({
    pid: first.pid,
    version,
    database: 'embedded',
    store_api: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/v1$/),
    stores: [side(true), side(false)],
  })
  expect(await modeOf(installation.readyFile)).toBe('600')
  expect(await modeOf(join(installation.dataDir, 'secrets.key'))).toBe('600')
  // The temporary file was renamed.
  expect((await readdir(installation.dataDir)).filter((name) => name.includes('ready'))).toEqual([
    'ready.json',
  ])
})

test('a command makes the database in a DATA_DIR that all users can read readable for its owner only', async () => {
  const dataDir = await mkdtemp(join(dirname(installation.dataDir), 'open-'))
  await chmod(dataDir, 0o755)
  const other = await createInstallation({
    DATA_DIR: dataDir,
    TRADEPOST_READY_FILE: join(dataDir, 'r'),
  })
  try {
    for (const run of ['the first run', 'the second run']) {
      expect((await other.run(['migrate'])).code, run).toBe(0)
      expect(await modeOf(join(dataDir, 'pg'))).toBe('700')
      await chmod(join(dataDir, 'pg'), 0o755)
    }
  } finally {
    await other.close()
    await rm(dataDir, { recursive: true })
  }
})

test('the first start prints the store ids, a working call with the test key, and the paths of keys and data', async () => {
  const output = first.stdout()
  for (const { id } of [first.live, first.test]) expect(output).toContain(id)
  expect(output).toContain(first.test.api_key)
  expect(output).not.toContain(first.live.api_key)
  expect(output).toContain(installation.dataDir)
  expect(output).toContain(join(installation.dataDir, 'keys.txt'))
  expect(output).toMatch(/DATABASE_URL=postgres:\/\//)
  expect(output).toMatch(/Ctrl\+C/)
  expect(output).toMatch(/127\.0\.0\.1 and localhost/)

  const curl = /curl -s (\S+) -H 'x-api-key: (\S+)' -H 'x-store-hash: (\S+)'/.exec(output)
  const [, url = '', key = '', store = ''] = curl ?? []
  const answer = await fetch(url, { headers: { 'x-api-key': key, 'x-store-hash': store } })
  expect(answer.status).toBe(200)
  expect(await answer.json()).toMatchObject({ success: true })
})

test('the first start writes all first keys to keys.txt, which only its owner can read (decision 146)', async () => {
  const file = join(installation.dataDir, 'keys.txt')
  expect(await modeOf(file)).toBe('600')
  const text = await readFile(file, 'utf8')
  for (const { id, api_key, security_key } of [first.live, first.test]) {
    for (const value of [id, api_key, security_key]) expect(text).toContain(value ?? 'no value')
  }
})

test('the first key of a side can create products, and is refused for the other side', async () => {
  const created = await call(targetOf(first), 'POST', '/products', {
    body: { name: 'First', price_cents: 1 },
  })
  expect(created.status).toBe(201)
  const withTestKey = await call(targetOf(first, first.test.api_key), 'GET', '/products')
  expect(withTestKey).toMatchObject({ status: 403, json: { code: 'STORE_NOT_ALLOWED' } })
})

test('a second start in the same DATA_DIR exits 2 and names the first process, which continues', async () => {
  const { code, stdout, stderr } = await installation.run(['start', '--demo'])
  expect(code).toBe(2)
  expect(stdout).toBe('')
  expect(stderr).toContain(`process ${first.pid}`)
  expect(stderr).not.toMatch(STACK)
  expect((await call(targetOf(first), 'GET', '/account')).status).toBe(200)
  expect(JSON.parse(await readFile(installation.readyFile, 'utf8'))).toEqual(first.ready)
})

test('a start with an invalid environment reports every error with its remedy, and exits 2', async () => {
  const faults = {
    PORT: '70000',
    DATABASE_URL: 'mysql://host/shop',
    TRADEPOST_PUBLIC_URL: 'shop.example.com',
    TRADEPOST_ROLE: 'chef',
    TRADEPOST_SECRETS_KEY: 'short',
    TRADEPOST_TRUSTED_PROXIES: '10.0.0.0/99',
    TRADEPOST_DB_POOL: '0',
    LOG_LEVEL: 'loud',
  }
  const { code, stdout, stderr } = await installation.run(['start'], faults)
  expect(code).toBe(2)
  expect(stdout).toBe('')
  expect(stderr).not.toMatch(STACK)
  const lines = stderr.trim().split('\n')
  expect(lines.map((line) => line.split(':', 1)[0]).sort()).toEqual(Object.keys(faults).sort())
  for (const line of lines) expect(line).toMatch(/: .*(write|is no)/)
  // A key is never printed, even if it is invalid.
  expect(stderr).not.toContain('short')
})

test('a start on a port that is in use names the port, and exits 2', async () => {
  const otherProgram = createServer().listen(0, '127.0.0.1')
  await once(otherProgram, 'listening')
  const { port } = otherProgram.address() as AddressInfo
  const other = await createInstallation({ PORT: String(port) })
  try {
    const { code, stdout, stderr } = await other.run(['start', '--demo'])
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toMatch(new RegExp(`^Port ${port} is in use\\. .*PORT`))
    expect(stderr).not.toMatch(STACK)
  } finally {
    otherProgram.close()
    await other.close()
  }
})

test('a start with the address of another machine as HOST names the address, and exits 2', async () => {
  const { code, stdout, stderr } = await installation.run(['start'], {
    DATA_DIR: join(installation.dataDir, 'other'),
    HOST: '192.0.2.1',
  })
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toBe('HOST: 192.0.2.1 is not an address of this machine.\n')
})

test.each(['DATA_DIR', 'TRADEPOST_READY_FILE'])(
  'a start with an unusable path in %s names the path and the reason, and exits 2',
  async (variable) => {
    const file = join(installation.dataDir, 'not-a-folder')
    await writeFile(file, '')
    const folders = [[join(file, 'data'), 'a file has this name']]
    if (process.platform === 'linux') folders.push(['/proc/shop', 'no folder can be created there'])
    for (const [folder = '', reason] of folders) {
      const path = variable === 'DATA_DIR' ? folder : join(folder, 'ready.json')
      const env = { DATA_DIR: join(installation.dataDir, 'other'), [variable]: path }
      const { code, stdout, stderr } = await installation.run(['start'], env)
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toBe(
        `${variable}: ${folder} cannot be used, because ${reason}. Set another folder.\n`,
      )
    }
  },
)

test('a later start keeps stores and keys and prints no keys, and is refused with another secrets key or without one', async () => {
  first.signal('SIGINT')
  expect(await first.ended).toBe(0)

  const otherKey = { TRADEPOST_SECRETS_KEY: randomBytes(32).toString('base64') }
  const refused = await installation.run(['start', '--demo'], otherKey)
  expect(refused.code).toBe(2)
  expect(refused.stdout).toBe('')
  expect(refused.stderr).toContain('TRADEPOST_SECRETS_KEY')
  expect(refused.stderr).not.toMatch(STACK)

  // The key file is missing, as after an incomplete restore. The start must not create a new key.
  const keyFile = join(installation.dataDir, 'secrets.key')
  const keyCopy = join(installation.dataDir, 'kept.key')
  await rename(keyFile, keyCopy)
  expect(await installation.run(['start'])).toMatchObject({ code: 2, stderr: refused.stderr })
  await expect(stat(keyFile)).rejects.toThrow()
  await rename(keyCopy, keyFile)

  const readyFile = join(dirname(installation.dataDir), 'elsewhere', 'ready.json')
  const second = await installation.start({ TRADEPOST_READY_FILE: readyFile })
  expect(await modeOf(readyFile)).toBe('600')
  const withoutKeys = ({ api_key: _, security_key: __, ...side }: Side) => side
  expect(second.ready.stores).toEqual(first.ready.stores.map(withoutKeys))
  expect(second.ready.stores[0]?.app_public_id).toMatch(/^app_/)
  expect(second.stdout()).not.toMatch(/(sk|sec)_(live|test)_/)
  const products = await call(targetOf(second, first.live.api_key), 'GET', '/products')
  expect(products.json.products.map(({ name }: { name: string }) => name)).toContain('First')
  second.signal('SIGTERM')
  expect(await second.ended).toBe(0)
})

test('two concurrent starts with --demo on an empty database create one demo store', async (context) => {
  const installations: Installation[] = []
  try {
    const [first, second] = await startAtOnce(
      postgresOrSkip(context, await openPostgres()),
      installations,
    )
    expect(first?.ready.database).toBe('server')
    expect(first?.ready.stores.map(({ id }) => id)).toEqual(
      second?.ready.stores.map(({ id }) => id),
    )
    // Only the process that created the store knows its keys.
    const keys = [first, second].flatMap(
      (server) => server?.ready.stores.map(({ api_key }) => api_key) ?? [],
    )
    expect(keys.filter((key) => key !== undefined).length).toBe(2)
  } finally {
    await Promise.all(installations.map((item) => item.close()))
  }
})

test('a worker with --demo creates no store, because its ready file has no keys (decision 54)', async (context) => {
  const installations: Installation[] = []
  try {
    const { url } = await freshDatabase(postgresOrSkip(context, await openPostgres()))
    const env = settingsFor(url)
    const open = async (role: string) => {
      const installation = await createInstallation({ ...env, TRADEPOST_ROLE: role })
      installations.push(installation)
      return installation
    }
    const worker = await open('worker')
    worker.spawn(['start', '--demo'])
    await until(() => existsSync(worker.readyFile))
    const { live, test } = await (await open('api')).start()
    expect([live.api_key, test.api_key]).toEqual([
      expect.stringMatching(/^sk_live_/),
      expect.stringMatching(/^sk_test_/),
    ])
  } finally {
    await Promise.all(installations.map((item) => item.close()))
  }
})

test('a start waits while another process creates the demo store, however long that takes', async (context) => {
  const { url } = await freshDatabase(postgresOrSkip(context, await openPostgres()))
  const env = settingsFor(url)
  const waiting = await createInstallation(env)
  const client = new pg.Client(url)
  await client.connect()
  try {
    expect((await waiting.run(['migrate'])).code).toBe(0)
    await client.query('select pg_advisory_lock(4101)')
    const starting = waiting.start()
    starting.catch(() => undefined)
    expect(await untilWaiting(url, 1, 60_000)).toBe(true)
    // The lock timeout of a session is 3 s.
    await elapse(4_000)
    await client.query('select pg_advisory_unlock(4101)')
    expect((await starting).live.api_key).toMatch(/^sk_live_/)
  } finally {
    await client.end()
    await waiting.close()
  }
})

const STARTS_MAX = 8

/**
 * Starts two processes on an empty database, both of which wait to create the first store. If the second one is late,
 * both are started again on another database.
 */
async function startAtOnce(
  postgres: RealPostgres,
  installations: Installation[],
): Promise<Server[]> {
  for (let start = 0; start < STARTS_MAX; start++) {
    const { url } = await freshDatabase(postgres)
    const env = settingsFor(url)
    const pair = [await createInstallation(env), await createInstallation(env)]
    installations.push(...pair)
    expect((await pair[0]?.run(['migrate']))?.code).toBe(0)
    const { servers, haveWaited } = await startTogether(url, pair)
    if (haveWaited) return servers
    for (const server of servers) {
      server.signal('SIGTERM')
      await server.ended
    }
  }
  throw new Error(`The second of two processes was late in each of ${STARTS_MAX} starts.`)
}

/**
 * Starts the processes, and blocks the creation of stores. `haveWaited` tells whether all of them waited at once: one
 * to create the store, the others for that one.
 */
async function startTogether(
  url: string,
  installations: readonly Installation[],
): Promise<{ servers: Server[]; haveWaited: boolean }> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query('begin')
    await client.query('lock table store in share mode')
    const starting = Promise.all(installations.map((item) => item.start()))
    starting.catch(() => undefined)
    expect(await untilWaiting(url, 1, 60_000)).toBe(true)
    // The lock timeout is 3 s, so the first process cannot wait longer for the second one.
    const haveWaited = await untilWaiting(url, installations.length, 2_000)
    await client.query('rollback')
    return { servers: await starting, haveWaited }
  } finally {
    await client.end()
  }
}

/** Waits until this many sessions wait for a lock. Returns false if the timeout has passed before. */
async function untilWaiting(url: string, count: number, timeout_ms: number): Promise<boolean> {
  const statement = `
    select count(*)::int as waiting from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`
  return isReached(async () => {
    const [row] = (await ask(url, statement)) as { waiting: number }[]
    return row !== undefined && row.waiting >= count
  }, timeout_ms)
}
