import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ask } from '../database.ts'
import type { Unavailable } from '../postgres/server.ts'
import { call } from './client.ts'
import {
  closePostgres,
  freshDatabase,
  openPostgres,
  postgresOrSkip,
  type RealPostgres,
} from './real-postgres.ts'
import { createInstallation } from './spawn-server.ts'

let postgres: RealPostgres | Unavailable

beforeAll(async () => {
  postgres = await openPostgres()
})
afterAll(() => closePostgres(postgres))

const PATIENCE = { timeout: 15_000 }

const settings = (url: string) => ({
  DATABASE_URL: url,
  TRADEPOST_SECRETS_KEY: randomBytes(32).toString('base64'),
})

const SETTINGS_AT_FAULT = [
  {
    what: 'a user that the server does not know',
    with: { username: 'stranger' },
    says: /^DATABASE_URL: \S+ says: role "stranger" does not exist\. Allow this user to connect, or use another\.\n$/,
  },
  {
    what: 'a database that is not there',
    with: { pathname: '/nowhere' },
    says: /^DATABASE_URL: \S+ says: database "nowhere" does not exist\. Create the database, or use another\.\n$/,
  },
  {
    what: 'a user that may not make tables',
    before: 'create role guest login',
    after: 'drop role guest',
    with: { username: 'guest' },
    says: /^DATABASE_URL: \S+ says: permission denied for .*\. Make this user the owner of the database\.\n$/,
  },
]

test.for(SETTINGS_AT_FAULT)(
  '$what is reported at once, and exits 2',
  { timeout: 120_000 },
  async (fault, context) => {
    const { url, drop } = await freshDatabase(postgresOrSkip(context, postgres))
    const wrong = new URL(url)
    Object.assign(wrong, { password: 'not-for-logs', ...fault.with })
    const installation = await createInstallation(settings(wrong.href))
    try {
      await ask(url, fault.before ?? 'select 1')
      for (const command of ['start', 'migrate']) {
        const { code, stdout, stderr } = await installation.run([command])
        expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
        expect(stderr).toMatch(fault.says)
        expect(stderr).not.toContain('not-for-logs')
      }
    } finally {
      await installation.close()
      await ask(url, fault.after ?? 'select 1')
      await drop()
    }
  },
)

const DATABASES_AT_FAULT = [
  {
    what: 'a database that loses characters',
    make: "encoding LATIN1 template template0 lc_collate 'C' lc_ctype 'C'",
    says: /^The database has the encoding LATIN1, .* encoding UTF8 template template0\.\n$/,
  },
  {
    what: 'a database of another program',
    before: 'create table product (id int)',
    says: /^DATABASE_URL: \S+ says: relation "product" already exists\. Use an empty database, /,
  },
]

test.for(DATABASES_AT_FAULT)(
  '$what is reported at once, and exits 2',
  { timeout: 120_000 },
  async ({ make, before, says }, context) => {
    const { url, drop } = await freshDatabase(postgresOrSkip(context, postgres), make)
    const installation = await createInstallation(settings(url))
    try {
      await ask(url, before ?? 'select 1')
      const { code, stdout, stderr } = await installation.run(['start'])
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toMatch(says)
    } finally {
      await installation.close()
      await drop()
    }
  },
)

test('a server that is too old is reported, and exits 2', async (context) => {
  const { url, drop } = await freshDatabase(postgresOrSkip(context, postgres))
  const older = await aged(new URL(url))
  const installation = await createInstallation(settings(older.url))
  try {
    const { code, stderr } = await installation.run(['start'])
    expect(code).toBe(2)
    expect(stderr).toBe('The server is PostgreSQL 13, and 14 or newer is needed.\n')
  } finally {
    await installation.close()
    older.close()
    await drop()
  }
})

/** The same server, but for the version that it says it has. */
async function aged(url: URL): Promise<{ url: string; close(): void }> {
  const server = createServer((client) => {
    const upstream = connect(Number(url.port), url.hostname)
    client.pipe(upstream).on('error', () => client.destroy())
    client.on('error', () => upstream.destroy())
    upstream.on('data', (bytes) => {
      const text = bytes.toString('latin1').replace(/1[4-9](\d{4})C/, '13$1C')
      client.write(Buffer.from(text, 'latin1'))
    })
    upstream.on('close', () => client.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const through = new URL(url)
  through.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url: through.href, close: () => server.close() }
}

test('a server that became a read-only standby, or lost the database, is one that is away for a while', async (context) => {
  const { url, drop } = await freshDatabase(postgresOrSkip(context, postgres))
  const admin = new URL(url)
  admin.pathname = '/postgres'
  const name = new URL(url).pathname.slice(1)
  const anew = `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`
  const installation = await createInstallation(settings(url))
  try {
    const { origin, live } = await installation.start()
    const target = { origin, store: live.id, key: live.api_key ?? '' }
    const body = { name: 'Editor', price_cents: 1999 }
    const make = () => call(target, 'POST', '/products', { body })
    expect((await make()).status).toBe(201)

    await ask(admin.href, `alter database ${name} set default_transaction_read_only = on`)
    await ask(admin.href, anew)
    await expect
      .poll(make, PATIENCE)
      .toMatchObject({ status: 503, json: { code: 'SERVICE_UNAVAILABLE' } })
    // A refused call gets a new connection: no administrator ends the old one here.
    await ask(admin.href, `alter database ${name} reset default_transaction_read_only`)
    await expect.poll(async () => (await make()).status, PATIENCE).toBe(201)

    const renamed = (from: string, to: string) =>
      vi.waitFor(() => ask(admin.href, `alter database ${from} rename to ${to}`), PATIENCE)
    await ask(admin.href, `alter database ${name} with allow_connections false`)
    await ask(admin.href, anew)
    await renamed(name, `${name}_away`)
    const ready = async () => (await fetch(`${origin}/readyz`)).status
    try {
      await expect.poll(ready, PATIENCE).toBe(503)
    } finally {
      await renamed(`${name}_away`, name)
    }
    await ask(admin.href, `alter database ${name} with allow_connections true`)
    await expect.poll(ready, PATIENCE).toBe(200)
  } finally {
    await installation.close()
    await drop()
  }
})
