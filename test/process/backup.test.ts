import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest'
import { ClientSecurity } from '../../sdk/client-security/index.ts'
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
  createInstallation,
  createMigratedInstallation,
  type Installation,
  type Server,
} from './spawn-server.ts'

/** The backups of running.md, made as it says, with every kind of record that can be lost. */

const run = promisify(execFile)
const BYTES = 'the bytes of a file'

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

/** The keys of the first start, which no later one shows. */
interface Keys {
  store: Omit<Target, 'origin'>
  security: string
  app: string
}

const keysOf = ({ test: side }: Server): Keys => ({
  store: { store: side.id, key: side.api_key ?? '' },
  security: side.security_key ?? '',
  app: side.app_public_id ?? '',
})

async function secure(
  { origin }: Server,
  { security, store }: Keys,
  path: string,
  body?: unknown,
): Promise<Json> {
  const response = await fetch(`${origin}/security/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${security}`,
      'x-store-hash': store.store,
      ...(typeof body === 'string'
        ? { 'content-type': 'application/octet-stream' }
        : body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const json = await response.json()
  expect(response.ok, JSON.stringify(json)).toBe(true)
  return json
}

/** A day of business: sold keys, files, a program at work, and a webhook that waits for its next attempt. */
async function trade(server: Server, keys: Keys) {
  const target = { origin: server.origin, ...keys.store }
  const post = async (path: string, body: unknown) => {
    const { status, json, text } = await call(target, 'POST', path, { body })
    expect(status, text).toBeLessThan(300)
    return json
  }
  receiver.received.length = 0
  receiver.answer((response) => response.writeHead(500).end())
  const { secret } = await post('/webhooks', { url: receiver.url, events: ['order.completed'] })
  const { product, variants } = await post('/products', { name: 'Kept', price_cents: 500 })
  const stock = ['KEPT-1', 'KEPT-2']
  await post(`/products/${product.id}/variants/${variants[0].id}/keys`, { keys: stock })
  const content_base64 = Buffer.from(BYTES).toString('base64')
  const file = { name: 'kept.txt', mime_type: 'text/plain', content_base64 }
  await post(`/products/${product.id}/files`, file)
  const items = [{ product_id: product.id, quantity: 1 }]
  const customer = { email: 'ada@example.com' }
  const { order } = await post('/orders', { items, customer, mark_paid: true })
  await receiver.until(1)
  await secure(server, keys, '/serverside-files?name=kept.bin', BYTES)
  await secure(server, keys, '/serverside-strings', { name: 'kept', value: 'a string' })
  const license = (await secure(server, keys, '/keys', {})).keys[0].key as string
  const { apps } = await secure(server, keys, '/apps')
  const { signing_keys } = await secure(server, keys, `/apps/${apps[0].id}/signing-keys`)
  let { origin } = server
  const program = new ClientSecurity({
    url: `${origin}/security/v1`,
    appId: keys.app,
    keys: signing_keys,
    fingerprint: 'f'.repeat(64),
    fetch: (address, init) => fetch(String(address).replace(/^https?:\/\/[^/]+/, origin), init),
  })
  await program.start(license)
  const moveTo = (other: Server) => {
    origin = other.origin
  }
  return { order, product, variantId: variants[0].id, secret, program, moveTo }
}

type Traded = Awaited<ReturnType<typeof trade>>

/** On a slow machine the next attempt is due before the first check, so the receiver is ready first. */
function startRestored(installation: Installation): Promise<Server> {
  receiver.received.length = 0
  receiver.answer((response) => response.end('ok'))
  return installation.start()
}

/** Everything decrypts, verifies, downloads and is delivered, once. */
async function checkRestored(
  installation: Installation,
  server: Server,
  keys: Keys,
  traded: Traded,
) {
  const { order, product, variantId, secret, program, moveTo } = traded
  const target = { origin: server.origin, ...keys.store }
  const get = async (path: string) => (await call(target, 'GET', path)).json
  expect((await get(`/orders/${order.id}/deliveries`)).deliveries[0].keys).toEqual(['KEPT-1'])
  const stock = await get(`/products/${product.id}/variants/${variantId}/keys?reveal=true`)
  expect(stock.keys).toHaveLength(2)
  const [file] = (await get(`/products/${product.id}/files`)).files
  const download = new URL(file.url ?? file.download_url)
  expect(await (await fetch(server.origin + download.pathname + download.search)).text()).toBe(
    BYTES,
  )

  moveTo(server)
  expect((await program.heartbeat()).valid).toBe(true)
  expect(await program.string('kept')).toBe('a string')
  expect(Buffer.from(await program.file('kept.bin')).toString()).toBe(BYTES)

  const advanced = await installation.run(['clock', 'advance', '--store', keys.store.store, '2m'])
  expect(advanced.code, advanced.stderr).toBe(0)
  const [hook] = await receiver.until(1)
  expect(receiver.received).toHaveLength(1)
  const event = await verify(hook?.body ?? '', hook?.headers ?? {}, secret)
  expect(event).toMatchObject({ type: 'order.completed', data: { object: { id: order.id } } })
  expect(hook?.headers['service-delivery-attempt']).toBe('2')

  const doctor = await installation.run(['doctor'])
  expect(doctor.stdout).not.toContain('FAULT')
  expect(doctor.code, doctor.stdout + doctor.stderr).toBe(0)
}

async function stop(server: Server) {
  server.signal('SIGTERM')
  expect(await server.ended).toBe(0)
}

test('embedded: a copy of DATA_DIR without its key, restored next to the key, is the same store', async () => {
  const from = await createMigratedInstallation()
  const to = await createInstallation()
  try {
    const first = await from.start()
    const keys = keysOf(first)
    const traded = await trade(first, keys)
    await stop(first)
    await cp(from.dataDir, to.dataDir, {
      recursive: true,
      filter: (path) => !path.endsWith('secrets.key'),
    })
    await cp(join(from.dataDir, 'secrets.key'), join(to.dataDir, 'secrets.key'))
    expect((await to.run(['doctor'])).code).toBe(0)
    await checkRestored(to, await startRestored(to), keys, traded)
  } finally {
    await from.close()
    await to.close()
  }
})

test('a server: pg_dump and the files, restored into an empty database, are the shop as it was', async (context) => {
  const server = postgresOrSkip(context, postgres)
  await needTools(context)
  const [before, after] = [await freshDatabase(server), await freshDatabase(server)]
  const from = await createInstallation({ DATABASE_URL: before.url })
  const to = await createInstallation({ DATABASE_URL: after.url })
  try {
    const first = await from.start()
    const keys = keysOf(first)
    const traded = await trade(first, keys)
    // While it runs: the dump is one moment of the database.
    const dump = join(dirname(from.dataDir), 'dump')
    await run('pg_dump', ['--format=custom', `--file=${dump}`, before.url])
    await mkdir(to.dataDir)
    for (const name of ['files', 'secrets.key']) {
      await cp(join(from.dataDir, name), join(to.dataDir, name), { recursive: true })
    }
    await stop(first)
    await run('pg_restore', ['--no-owner', '--exit-on-error', `--dbname=${after.url}`, dump])
    const doctor = await to.run(['doctor'])
    expect(doctor.code, doctor.stdout + doctor.stderr).toBe(0)
    await checkRestored(to, await startRestored(to), keys, traded)
  } finally {
    await from.close()
    await to.close()
    await before.drop()
    await after.drop()
  }
})

test('`backup` of a running shop, restored to a server and from there into a folder, is the shop as it was', async (context) => {
  const empty = await freshDatabase(postgresOrSkip(context, postgres))
  const from = await createMigratedInstallation()
  const between = await createInstallation({ DATABASE_URL: empty.url })
  const to = await createInstallation()
  const json = async (installation: Installation, ...args: string[]) => {
    const { code, stdout, stderr } = await installation.run([...args, '--json'])
    expect(code, stderr).toBe(0)
    return JSON.parse(stdout)
  }
  try {
    const first = await from.start()
    const keys = keysOf(first)
    const traded = await trade(first, keys)
    // A job counts the sale, and a restore must not count it once more.
    const isCounted = async (probe: string) => {
      await json(from, 'backup', probe)
      return (await rowsOf(probe)).some((row) => row.startsWith('sales_quarter '))
    }
    for (let n = 0; !(await isCounted(`${from.dataDir}-${n}.backup`)); n++) await pause(200)
    const file = join(dirname(from.dataDir), 'shop.backup')
    const written = await json(from, 'backup', file)
    expect(written).toEqual({
      file,
      bytes: (await stat(file)).size,
      sha256: createHash('sha256')
        .update(await readFile(file))
        .digest('hex'),
    })
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(gunzipSync(await readFile(file)).toString()).not.toContain('KEPT-1')
    await stop(first)
    for (const { dataDir } of [between, to]) {
      await mkdir(dataDir)
      await cp(join(from.dataDir, 'secrets.key'), join(dataDir, 'secrets.key'))
    }
    expect(await json(between, 'restore', file)).toEqual({ from: file, stores: 2 })
    const second = join(dirname(from.dataDir), 'second.backup')
    await json(between, 'backup', second)
    expect(await rowsOf(second)).toEqual(await rowsOf(file))
    expect(await json(to, 'restore', second)).toEqual({ from: second, stores: 2 })
    await checkRestored(to, await startRestored(to), keys, traded)
  } finally {
    for (const installation of [from, between, to]) await installation.close()
    await empty.drop()
  }
})

/** All rows, sequences and files of a backup, in an order that does not depend on where they lay. */
async function rowsOf(file: string): Promise<string[]> {
  const lines: Json[] = gunzipSync(await readFile(file))
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  return lines
    .filter(({ kind }) => kind !== 'begin')
    .flatMap(({ rows, ...line }) =>
      Array.isArray(rows)
        ? rows.map((row) => `${line.table} ${row}`)
        : [JSON.stringify({ ...line, rows })],
    )
    .sort()
}

describe('a wrong restore is reported with its cure, and changes nothing', () => {
  let tradepost: Installation
  const folder = () => join(dirname(tradepost.dataDir), 'restored')
  const within = (...names: string[]) => join(folder(), ...names)

  beforeAll(async () => {
    tradepost = await createMigratedInstallation()
    await stop(await tradepost.start())
    await mkdir(join(tradepost.dataDir, 'files'))
  })
  afterAll(() => tradepost.close())

  const WRONG: { what: string; spoil: () => Promise<unknown>; says: RegExp }[] = [
    {
      what: 'no key',
      spoil: () => rm(within('secrets.key')),
      says: /sealed with the secrets key \w{8}, which is not here.\n.*restore secrets\.key\.\n$/,
    },
    {
      what: 'the key of another shop',
      spoil: () => writeFile(within('secrets.key'), randomBytes(32).toString('base64')),
      says: /sealed with the secrets key \w{8}, which is not here.\n.*restore secrets\.key\.\n$/,
    },
    {
      what: 'no database',
      spoil: () => rm(within('pg'), { recursive: true }),
      says: /holds secrets\.key and files of an installation, but not its database\.\nRestore a backup /,
    },
    {
      what: 'a file where the folder of files was',
      spoil: async () => {
        await rm(within('files'), { recursive: true })
        await writeFile(within('files'), '')
      },
      says: /^DATA_DIR: \S+files cannot be used, because a file stands in its way\./,
    },
    {
      what: 'half a database',
      spoil: () => rm(within('pg', 'pg_wal'), { recursive: true }),
      says: /pg does not open: required WAL directory "pg_wal" does not exist\n.*restore the folder/,
    },
    {
      what: 'the database of another PostgreSQL',
      spoil: () => writeFile(within('pg', 'PG_VERSION'), '17\n'),
      says: /pg was written by PostgreSQL 17; this is 18\. Start the version of Tradepost that wrote it/,
    },
  ]

  test.each(WRONG)('$what', async ({ spoil, says }) => {
    await rm(folder(), { recursive: true, force: true })
    await cp(tradepost.dataDir, folder(), { recursive: true })
    await spoil()
    const before = await readdir(folder())
    for (const command of ['start', 'doctor']) {
      const { code, stdout, stderr } = await tradepost.run([command], { DATA_DIR: folder() })
      expect({ code, stdout }, stderr).toEqual({ code: 2, stdout: '' })
      expect(stderr).toMatch(says)
      expect(stderr).not.toMatch(/^\s+at |"level"/m)
    }
    expect(await readdir(folder())).toEqual(before)
  })
})

async function needTools(context: TestContext) {
  const found = await run('pg_restore', ['--version']).catch(() => undefined)
  if (!found) context.skip('pg_dump and pg_restore are not on the PATH.')
}
