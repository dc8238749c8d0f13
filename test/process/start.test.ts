import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask } from '../database.ts'
import { call, type Target } from './client.ts'
import { closePostgres, freshDatabase, openPostgres, postgresOrSkip } from './real-postgres.ts'
import { createInstallation, type Installation, type Server, type Side } from './spawn-server.ts'

let installation: Installation
let first: Server

beforeAll(async () => {
  installation = await createInstallation()
  first = await installation.start()
})
afterAll(() => installation.close())

const targetOf = ({ origin, live }: Server, key = live.api_key ?? ''): Target => ({
  origin,
  store: live.id,
  key,
})

const modeOf = async (file: string) => ((await stat(file)).mode & 0o777).toString(8)

/** A line of a stack trace. */
const STACK = /^\s+at .+[:(]\d+/m

test('the first start writes where it is and the first keys into a file for the owner alone', async () => {
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
  // The draft that was renamed is gone.
  expect((await readdir(installation.dataDir)).filter((name) => name.includes('ready'))).toEqual([
    'ready.json',
  ])
})

test('in a DATA_DIR that is open to all, what lies there is for the owner alone, also where it was not', async () => {
  const dataDir = await mkdtemp(join(dirname(installation.dataDir), 'open-'))
  await chmod(dataDir, 0o755)
  const other = await createInstallation({
    DATA_DIR: dataDir,
    TRADEPOST_READY_FILE: join(dataDir, 'r'),
  })
  try {
    for (const times of [1, 2]) {
      expect((await other.run(['migrate'])).code, `${times}`).toBe(0)
      expect(await modeOf(join(dataDir, 'pg'))).toBe('700')
      await chmod(join(dataDir, 'pg'), 0o755)
    }
  } finally {
    await other.close()
    await rm(dataDir, { recursive: true })
  }
})

test('the first start prints the store ids, a call with the test key that works, and where keys and data are', async () => {
  const printed = first.stdout()
  for (const { id } of [first.live, first.test]) expect(printed).toContain(id)
  expect(printed).toContain(first.test.api_key)
  expect(printed).not.toContain(first.live.api_key)
  expect(printed).toContain(installation.dataDir)
  expect(printed).toContain(join(installation.dataDir, 'keys.txt'))
  expect(printed).toMatch(/DATABASE_URL=postgres:\/\//)
  expect(printed).toMatch(/Ctrl\+C/)
  expect(printed).toMatch(/127\.0\.0\.1 and localhost/)

  const curl = /curl -s (\S+) -H 'x-api-key: (\S+)' -H 'x-store-hash: (\S+)'/.exec(printed)
  const [, url = '', key = '', store = ''] = curl ?? []
  const answer = await fetch(url, { headers: { 'x-api-key': key, 'x-store-hash': store } })
  expect(answer.status).toBe(200)
  expect(await answer.json()).toMatchObject({ success: true })
})

test('the first start writes all first keys to keys.txt, for its owner only (decision 146)', async () => {
  const file = join(installation.dataDir, 'keys.txt')
  expect(await modeOf(file)).toBe('600')
  const text = await readFile(file, 'utf8')
  const sides = [first.live, first.test] as (Side & { security_key?: string })[]
  for (const { id, api_key, security_key } of sides)
    for (const value of [id, api_key, security_key]) expect(text).toContain(value)
})

test('these first keys carry every permission, and open their own side only', async () => {
  const made = await call(targetOf(first), 'POST', '/products', {
    body: { name: 'First', price_cents: 1 },
  })
  expect(made.status).toBe(201)
  const swapped = await call(targetOf(first, first.test.api_key), 'GET', '/products')
  expect(swapped).toMatchObject({ status: 403, json: { code: 'STORE_NOT_ALLOWED' } })
})

test('a second start on the folder exits 2 and names the first, which goes on', async () => {
  const { code, stdout, stderr } = await installation.run(['start', '--demo'])
  expect(code).toBe(2)
  expect(stdout).toBe('')
  expect(stderr).toContain(`process ${first.pid}`)
  expect(stderr).not.toMatch(STACK)
  expect((await call(targetOf(first), 'GET', '/account')).status).toBe(200)
  expect(JSON.parse(await readFile(installation.readyFile, 'utf8'))).toEqual(first.ready)
})

test('a bad environment is reported completely, each fault with its cure, and exits 2', async () => {
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
  // A key is never repeated, however wrong it is.
  expect(stderr).not.toContain('short')
})

test('a port that is in use is named, and exits 2', async () => {
  const squatter = createServer().listen(0, '127.0.0.1')
  await once(squatter, 'listening')
  const { port } = squatter.address() as AddressInfo
  const other = await createInstallation({ PORT: String(port) })
  try {
    const { code, stdout, stderr } = await other.run(['start', '--demo'])
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toMatch(new RegExp(`^Port ${port} is in use\\. .*PORT`))
    expect(stderr).not.toMatch(STACK)
  } finally {
    squatter.close()
    await other.close()
  }
})

test('an address that is not of this machine is named, and exits 2', async () => {
  const { code, stdout, stderr } = await installation.run(['start'], {
    DATA_DIR: join(installation.dataDir, 'other'),
    HOST: '192.0.2.1',
  })
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toBe('HOST: 192.0.2.1 is not an address of this machine.\n')
})

test.each(['DATA_DIR', 'TRADEPOST_READY_FILE'])(
  'a place that %s cannot have is named, with why, and exits 2',
  async (variable) => {
    const file = join(installation.dataDir, 'not-a-folder')
    await writeFile(file, '')
    const installations = [[join(file, 'data'), 'a file stands in its way']]
    if (process.platform === 'linux')
      installations.push(['/proc/shop', 'no folder can be made there'])
    for (const [folder = '', why] of installations) {
      const named = variable === 'DATA_DIR' ? folder : join(folder, 'ready.json')
      const other = { DATA_DIR: join(installation.dataDir, 'other'), [variable]: named }
      const { code, stdout, stderr } = await installation.run(['start'], other)
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toBe(`${variable}: ${folder} cannot be used, because ${why}. Set another.\n`)
    }
  },
)

test('later starts keep stores and keys, and no longer show keys; another secrets key is refused', async () => {
  first.signal('SIGINT')
  expect(await first.ended).toBe(0)

  const wrong = { TRADEPOST_SECRETS_KEY: randomBytes(32).toString('base64') }
  const refused = await installation.run(['start', '--demo'], wrong)
  expect(refused.code).toBe(2)
  expect(refused.stdout).toBe('')
  expect(refused.stderr).toContain('TRADEPOST_SECRETS_KEY')
  expect(refused.stderr).not.toMatch(STACK)

  // As after a restore without the key: no new key is made.
  const keyFile = join(installation.dataDir, 'secrets.key')
  const kept = join(installation.dataDir, 'kept.key')
  await rename(keyFile, kept)
  expect(await installation.run(['start'])).toMatchObject({ code: 2, stderr: refused.stderr })
  await expect(stat(keyFile)).rejects.toThrow()
  await rename(kept, keyFile)

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

test('two processes that start --demo at once on one empty database open one demo store', async (context) => {
  const server = await openPostgres()
  const installations: Installation[] = []
  try {
    const database = await freshDatabase(postgresOrSkip(context, server))
    const env = {
      DATABASE_URL: database.url,
      TRADEPOST_SECRETS_KEY: randomBytes(32).toString('base64'),
    }
    installations.push(await createInstallation(env), await createInstallation(env))
    expect((await installations[0]?.run(['migrate']))?.code).toBe(0)
    const [one, two] = await startTogether(database.url, installations)
    expect(one?.ready.database).toBe('server')
    expect(one?.ready.stores.map(({ id }) => id)).toEqual(two?.ready.stores.map(({ id }) => id))
    // One of them made the keys.
    const keys = [one, two].flatMap(
      (each) => each?.ready.stores.map(({ api_key }) => api_key) ?? [],
    )
    expect(keys.filter((key) => key !== undefined).length).toBe(2)
  } finally {
    await Promise.all(installations.map((each) => each.close()))
    await closePostgres(server)
  }
})

/** Keeps stores from being written until both have seen that there is none. */
async function startTogether(
  url: string,
  installations: readonly Installation[],
): Promise<Server[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query('begin')
    await client.query('lock table store in share mode')
    const started = Promise.all(installations.map((each) => each.start()))
    started.catch(() => undefined)
    await waiters(url, 1, 20_000)
    // A process that waits longer than 3 s gives up.
    await waiters(url, installations.length, 2_000)
    await client.query('rollback')
    return await started
  } finally {
    await client.end()
  }
}

async function waiters(url: string, count: number, most_ms: number): Promise<void> {
  const locked = `
    select count(*)::int as n from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`
  const until = Date.now() + most_ms
  for (;;) {
    const [row] = (await ask(url, locked)) as { n: number }[]
    if ((row && row.n >= count) || Date.now() > until) return
    await pause(20)
  }
}
