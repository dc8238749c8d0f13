import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest'
import { ClientSecurity } from '../../sdk/client-security/index.ts'
import { verify } from '../../sdk/webhooks/index.ts'
import type { Json } from '../harness.ts'
import { openReceiver, type Receiver } from '../receiver.ts'
import { until } from '../until.ts'
import { call, type Target } from './client.ts'
import { freshDatabase, sharedPostgres } from './real-postgres.ts'
import {
  createInstallation,
  createMigratedInstallation,
  type Installation,
  type Server,
} from './spawn-server.ts'

/** The three kinds of backups in the guides: a copy of DATA_DIR, pg_dump with the files, and `backup`. */

const run = promisify(execFile)
const FILE_CONTENT = 'the content of a file'

const requirePostgres = sharedPostgres()
let receiver: Receiver

beforeAll(async () => {
  receiver = await openReceiver()
})
afterAll(() => receiver.close())

/** The credentials of the first start, which later starts do not show. */
interface Credentials {
  store: string
  apiKey: string
  securityKey: string
  appId: string
}

const credentialsOf = ({ test: side }: Server): Credentials => ({
  store: side.id,
  apiKey: side.api_key ?? '',
  securityKey: side.security_key ?? '',
  appId: side.app_public_id ?? '',
})

const targetOf = ({ origin }: Server, { store, apiKey }: Credentials): Target => ({
  origin,
  store,
  key: apiKey,
})

/** Calls the Client Security API. A body that is a string is sent as the content of a file. */
async function callSecurityApi(
  { origin }: Server,
  { securityKey, store }: Credentials,
  path: string,
  body?: unknown,
): Promise<Json> {
  const changingMethod = path.endsWith('/content') ? 'PUT' : 'POST'
  const response = await fetch(`${origin}/security/v1${path}`, {
    method: body === undefined ? 'GET' : changingMethod,
    headers: {
      authorization: `Bearer ${securityKey}`,
      'x-store-hash': store,
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

/** Creates every kind of record: sold keys, files, a running session, and a webhook with a scheduled retry. */
async function createRecords(server: Server, credentials: Credentials) {
  const target = targetOf(server, credentials)
  const post = async (path: string, body: unknown) => {
    const { status, json, text } = await call(target, 'POST', path, { body })
    expect(status, text).toBeLessThan(300)
    return json
  }
  receiver.received.length = 0
  receiver.answer((response) => response.writeHead(500).end())
  const { secret } = await post('/webhooks', { url: receiver.url, events: ['order.completed'] })
  const { product, variants } = await post('/products', { name: 'Game', price_cents: 500 })
  const stock = ['STOCK-1', 'STOCK-2']
  await post(`/products/${product.id}/variants/${variants[0].id}/keys`, { keys: stock })
  const content_base64 = Buffer.from(FILE_CONTENT).toString('base64')
  const file = { name: 'manual.txt', mime_type: 'text/plain', content_base64 }
  await post(`/products/${product.id}/files`, file)
  const items = [{ product_id: product.id, quantity: 1 }]
  const customer = { email: 'ada@example.com' }
  const { order } = await post('/orders', { items, customer, mark_paid: true })
  await receiver.until(1)
  const secure = (path: string, body?: unknown) => callSecurityApi(server, credentials, path, body)
  // The former content must be restored too, which doctor checks.
  const { serverside_file } = await secure('/serverside-files?name=level.bin', 'former content')
  await secure(`/serverside-files/${serverside_file.id}/content`, FILE_CONTENT)
  await secure('/serverside-strings', { name: 'motd', value: 'a string' })
  const license = (await secure('/keys', {})).keys[0].key as string
  const { apps } = await secure('/apps')
  const { signing_keys } = await secure(`/apps/${apps[0].id}/signing-keys`)
  let { origin } = server
  const program = new ClientSecurity({
    url: `${origin}/security/v1`,
    appId: credentials.appId,
    keys: signing_keys,
    fingerprint: 'f'.repeat(64),
    fetch: (address, init) => fetch(String(address).replace(/^https?:\/\/[^/]+/, origin), init),
  })
  await program.start(license)
  /** Redirects the running client program to another server. */
  const moveProgram = (other: Server) => {
    origin = other.origin
  }
  return { order, product, variantId: variants[0].id, secret, program, moveProgram }
}

type Records = Awaited<ReturnType<typeof createRecords>>

/** Starts the restored server. The retry may be due at once, so the receiver must accept it already. */
function startRestored(installation: Installation): Promise<Server> {
  receiver.received.length = 0
  receiver.answer((response) => response.end('ok'))
  return installation.start()
}

/** Expects that all secrets can be opened, all files are there, and the webhook is delivered once. */
async function expectRestored(
  installation: Installation,
  server: Server,
  credentials: Credentials,
  records: Records,
) {
  const { order, product, variantId, secret, program, moveProgram } = records
  const target = targetOf(server, credentials)
  const get = async (path: string) => {
    const { status, json, text } = await call(target, 'GET', path)
    expect(status, text).toBe(200)
    return json
  }
  expect((await get(`/orders/${order.id}/deliveries`)).deliveries[0].keys).toEqual(['STOCK-1'])
  const stock = await get(`/products/${product.id}/variants/${variantId}/keys?reveal=true`)
  expect(stock.keys).toHaveLength(2)
  const [file] = (await get(`/products/${product.id}/files`)).files
  const download = new URL(file.url ?? file.download_url)
  const downloaded = await fetch(server.origin + download.pathname + download.search)
  expect(await downloaded.text()).toBe(FILE_CONTENT)

  moveProgram(server)
  expect((await program.heartbeat()).valid).toBe(true)
  expect(await program.string('motd')).toBe('a string')
  expect(Buffer.from(await program.file('level.bin')).toString()).toBe(FILE_CONTENT)

  const advance = await installation.run(['clock', 'advance', '--store', credentials.store, '2m'])
  expect(advance.code, advance.stderr).toBe(0)
  const [request] = await receiver.until(1)
  expect(receiver.received).toHaveLength(1)
  const event = await verify(request?.body ?? '', request?.headers ?? {}, secret)
  expect(event).toMatchObject({ type: 'order.completed', data: { object: { id: order.id } } })
  expect(request?.headers['service-delivery-attempt']).toBe('2')

  const doctor = await installation.run(['doctor'])
  expect(doctor.stdout).not.toContain('FAULT')
  expect(doctor.code, doctor.stdout + doctor.stderr).toBe(0)
}

async function stop(server: Server) {
  server.signal('SIGTERM')
  expect(await server.ended).toBe(0)
}

test('a copy of DATA_DIR of the embedded database, to which its key was copied separately, has all records', async () => {
  const original = await createMigratedInstallation()
  const restored = await createInstallation()
  try {
    const server = await original.start()
    const credentials = credentialsOf(server)
    const records = await createRecords(server, credentials)
    await stop(server)
    await cp(original.dataDir, restored.dataDir, {
      recursive: true,
      filter: (path) => !path.endsWith('secrets.key'),
    })
    await cp(join(original.dataDir, 'secrets.key'), join(restored.dataDir, 'secrets.key'))
    expect((await restored.run(['doctor'])).code).toBe(0)
    await expectRestored(restored, await startRestored(restored), credentials, records)
  } finally {
    await original.close()
    await restored.close()
  }
})

test('a dump of pg_dump and a copy of the files, restored with an empty database, have all records', async (context) => {
  const postgresServer = requirePostgres(context)
  await skipWithoutDumpTools(context)
  const databases = [await freshDatabase(postgresServer), await freshDatabase(postgresServer)]
  const [originalUrl = '', restoredUrl = ''] = databases.map(({ url }) => url)
  const original = await createInstallation({ DATABASE_URL: originalUrl })
  const restored = await createInstallation({ DATABASE_URL: restoredUrl })
  try {
    const server = await original.start()
    const credentials = credentialsOf(server)
    const records = await createRecords(server, credentials)
    // The dump of a running server is one snapshot of the database.
    const dump = join(dirname(original.dataDir), 'dump')
    await run('pg_dump', ['--format=custom', `--file=${dump}`, originalUrl])
    await mkdir(restored.dataDir)
    for (const name of ['files', 'secrets.key']) {
      await cp(join(original.dataDir, name), join(restored.dataDir, name), { recursive: true })
    }
    await stop(server)
    await run('pg_restore', ['--no-owner', '--exit-on-error', `--dbname=${restoredUrl}`, dump])
    const doctor = await restored.run(['doctor'])
    expect(doctor.code, doctor.stdout + doctor.stderr).toBe(0)
    await expectRestored(restored, await startRestored(restored), credentials, records)
  } finally {
    await original.close()
    await restored.close()
    for (const database of databases) await database.drop()
  }
})

test('a `backup` of a running server, restored to a database server and from there into a folder, has all records', async (context) => {
  const database = await freshDatabase(requirePostgres(context))
  const original = await createMigratedInstallation()
  const onDatabaseServer = await createInstallation({ DATABASE_URL: database.url })
  const restored = await createInstallation()
  const json = async (installation: Installation, ...args: string[]) => {
    const { code, stdout, stderr } = await installation.run([...args, '--json'])
    expect(code, stderr).toBe(0)
    return JSON.parse(stdout)
  }
  try {
    const server = await original.start()
    const credentials = credentialsOf(server)
    const records = await createRecords(server, credentials)
    // The backup is made after a job has counted the sale, so that a restore could count it again.
    const isCounted = async (earlierBackup: string) => {
      await json(original, 'backup', earlierBackup)
      return (await linesOf(earlierBackup)).some((line) => line.startsWith('sales_quarter '))
    }
    let backups = 0
    await until(() => isCounted(`${original.dataDir}-${backups++}.backup`))
    const file = join(dirname(original.dataDir), 'shop.backup')
    expect(await json(original, 'backup', file)).toEqual({
      file,
      bytes: (await stat(file)).size,
      sha256: createHash('sha256')
        .update(await readFile(file))
        .digest('hex'),
    })
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(gunzipSync(await readFile(file)).toString()).not.toContain('STOCK-1')
    await stop(server)
    for (const { dataDir } of [onDatabaseServer, restored]) {
      await mkdir(dataDir)
      await cp(join(original.dataDir, 'secrets.key'), join(dataDir, 'secrets.key'))
    }
    expect(await json(onDatabaseServer, 'restore', file)).toEqual({ from: file, stores: 1 })
    const secondFile = join(dirname(original.dataDir), 'second.backup')
    await json(onDatabaseServer, 'backup', secondFile)
    expect(await linesOf(secondFile)).toEqual(await linesOf(file))
    expect(await json(restored, 'restore', secondFile)).toEqual({ from: secondFile, stores: 1 })
    await expectRestored(restored, await startRestored(restored), credentials, records)
  } finally {
    for (const installation of [original, onDatabaseServer, restored]) await installation.close()
    await database.drop()
  }
})

/** Returns all rows, sequences and files of a backup as sorted lines. */
async function linesOf(file: string): Promise<string[]> {
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

describe('a start and `doctor` report a remedy and change nothing', () => {
  let original: Installation
  const folder = () => join(dirname(original.dataDir), 'restored')
  const pathOf = (...names: string[]) => join(folder(), ...names)

  beforeAll(async () => {
    original = await createMigratedInstallation()
    await stop(await original.start())
    await mkdir(join(original.dataDir, 'files'))
  })
  afterAll(() => original.close())

  const INCOMPLETE: { fault: string; spoil: () => Promise<unknown>; message: RegExp }[] = [
    {
      fault: 'the key is missing',
      spoil: () => rm(pathOf('secrets.key')),
      message: /sealed with the secrets key \w{8}, which is missing.\n.*restore secrets\.key\.\n$/,
    },
    {
      fault: 'the key is of another installation',
      spoil: () => writeFile(pathOf('secrets.key'), randomBytes(32).toString('base64')),
      message: /sealed with the secrets key \w{8}, which is missing.\n.*restore secrets\.key\.\n$/,
    },
    {
      fault: 'the database is missing',
      spoil: () => rm(pathOf('pg'), { recursive: true }),
      message:
        /has secrets\.key and files of an installation, but not its database\.\nRestore a backup /,
    },
    {
      fault: 'the folder `files` is a file',
      spoil: async () => {
        await rm(pathOf('files'), { recursive: true })
        await writeFile(pathOf('files'), '')
      },
      message: /^DATA_DIR: \S+files cannot be used, because a file has this name\./,
    },
    {
      fault: 'a part of the database is missing',
      spoil: () => rm(pathOf('pg', 'pg_wal'), { recursive: true }),
      message:
        /pg does not open: required WAL directory "pg_wal" does not exist\n.*restore the folder/,
    },
    {
      fault: 'the database is of another version of PostgreSQL',
      spoil: () => writeFile(pathOf('pg', 'PG_VERSION'), '17\n'),
      message:
        /pg was written by PostgreSQL 17, but this version of Tradepost has PostgreSQL 18\. Start the version of Tradepost that wrote the folder/,
    },
  ]

  test.each(INCOMPLETE)('if $fault in a restored DATA_DIR', async ({ spoil, message }) => {
    await rm(folder(), { recursive: true, force: true })
    await cp(original.dataDir, folder(), { recursive: true })
    await spoil()
    const before = await readdir(folder())
    for (const command of ['start', 'doctor']) {
      const { code, stdout, stderr } = await original.run([command], { DATA_DIR: folder() })
      expect({ code, stdout }, stderr).toEqual({ code: 2, stdout: '' })
      expect(stderr).toMatch(message)
      expect(stderr).not.toMatch(/^\s+at |"level"/m)
    }
    expect(await readdir(folder())).toEqual(before)
  })
})

async function skipWithoutDumpTools(context: TestContext) {
  const version = await run('pg_restore', ['--version']).catch(() => undefined)
  if (!version) context.skip('pg_dump and pg_restore are not on the PATH.')
}
