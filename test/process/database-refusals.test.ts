import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { expect, test, vi } from 'vitest'
import { ask } from '../database.ts'
import { call, targetOf } from './client.ts'
import { freshDatabase, settingsFor, sharedPostgres } from './real-postgres.ts'
import { createInstallation } from './spawn-server.ts'

const requirePostgres = sharedPostgres()

const POLL = { timeout: 60_000 }

const INVALID_URLS = [
  {
    fault: 'a user that the server does not know',
    change: { username: 'stranger' },
    message:
      /^DATABASE_URL: \S+ says: role "stranger" does not exist\. Allow this user to connect, or use another\.\n$/,
  },
  {
    fault: 'a database that does not exist',
    change: { pathname: '/nowhere' },
    message:
      /^DATABASE_URL: \S+ says: database "nowhere" does not exist\. Create the database, or use another\.\n$/,
  },
  {
    fault: 'a user that may not create tables',
    before: 'create role guest login',
    after: 'drop role guest',
    change: { username: 'guest' },
    message:
      /^DATABASE_URL: \S+ says: permission denied for .*\. Make this user the owner of the database\.\n$/,
  },
]

test.for(INVALID_URLS)(
  'start and migrate report $fault, and exit 2',
  async ({ change, before, after, message }, context) => {
    const { url, drop } = await freshDatabase(requirePostgres(context))
    const invalidUrl = new URL(url)
    Object.assign(invalidUrl, { password: 'not-for-logs', ...change })
    const installation = await createInstallation(settingsFor(invalidUrl.href))
    try {
      if (before) await ask(url, before)
      for (const command of ['start', 'migrate']) {
        const { code, stdout, stderr } = await installation.run([command])
        expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
        expect(stderr).toMatch(message)
        expect(stderr).not.toContain('not-for-logs')
      }
    } finally {
      await installation.close()
      if (after) await ask(url, after)
      await drop()
    }
  },
)

const INVALID_DATABASES = [
  {
    fault: 'a database with the encoding LATIN1',
    options: "encoding LATIN1 template template0 lc_collate 'C' lc_ctype 'C'",
    message: /^The database has the encoding LATIN1, .* encoding UTF8 template template0\.\n$/,
  },
  {
    fault: 'a database of another program',
    before: 'create table product (id int)',
    message: /^The database has tables of another program \(product\).* Use an empty database, /,
  },
]

test.for(INVALID_DATABASES)(
  'start reports $fault, and exits 2',
  async ({ options, before, message }, context) => {
    const { url, drop } = await freshDatabase(requirePostgres(context), options)
    const installation = await createInstallation(settingsFor(url))
    try {
      if (before) await ask(url, before)
      const { code, stdout, stderr } = await installation.run(['start'])
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toMatch(message)
    } finally {
      await installation.close()
      await drop()
    }
  },
)

/** Creates a table that belongs to an extension. Every server has this extension. */
const EXTENSION = `
  create table spatial_ref_sys (id int);
  alter extension plpgsql add table spatial_ref_sys`

const TABLES = `
  select relname from pg_class
   where relnamespace = 'public'::regnamespace and relkind in ('r', 'v')
   order by 1`

test('a database with tables of another program is not changed, whatever their names are', async (context) => {
  const { url, drop } = await freshDatabase(requirePostgres(context))
  const installation = await createInstallation(settingsFor(url))
  try {
    await ask(url, 'create table wp_posts (id int); create view wp_news as select 1 as id')
    for (const command of [['start'], ['migrate'], ['migrate', '--dry-run']]) {
      const { code, stdout, stderr } = await installation.run(command)
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toMatch(/ tables of another program \(wp_news, wp_posts\)/)
    }
    expect(await ask(url, TABLES)).toEqual([{ relname: 'wp_news' }, { relname: 'wp_posts' }])
  } finally {
    await installation.close()
    await drop()
  }
})

test('the tables of an extension do not prevent a start', async (context) => {
  const { url, drop } = await freshDatabase(requirePostgres(context))
  const installation = await createInstallation(settingsFor(url))
  try {
    await ask(url, EXTENSION)
    const { code, stderr } = await installation.run(['migrate'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  } finally {
    await installation.close()
    await drop()
  }
})

test('start reports a PostgreSQL server that is too old, and exits 2', async (context) => {
  const { url, drop } = await freshDatabase(requirePostgres(context))
  const oldServer = await openOldServer(new URL(url))
  const installation = await createInstallation(settingsFor(oldServer.url))
  try {
    const { code, stderr } = await installation.run(['start'])
    expect(code).toBe(2)
    expect(stderr).toBe('The server is PostgreSQL 13, and 14 or newer is needed.\n')
  } finally {
    await installation.close()
    oldServer.close()
    await drop()
  }
})

/** Opens a proxy to the server. The proxy replaces the version that the server reports with 13. */
async function openOldServer(url: URL): Promise<{ url: string; close(): void }> {
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
  const proxyUrl = new URL(url)
  proxyUrl.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url: proxyUrl.href, close: () => server.close() }
}

test('a running process answers 503 while its database is read-only, refuses connections or does not exist, and then serves again', async (context) => {
  const { url, drop } = await freshDatabase(requirePostgres(context))
  const admin = new URL(url)
  admin.pathname = '/postgres'
  const name = new URL(url).pathname.slice(1)
  const endConnections = `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`
  const installation = await createInstallation(settingsFor(url))
  try {
    const server = await installation.start()
    const target = targetOf(server)
    const body = { name: 'Editor', price_cents: 1999 }
    const createProduct = () => call(target, 'POST', '/products', { body })
    expect((await createProduct()).status).toBe(201)

    await ask(admin.href, `alter database ${name} set default_transaction_read_only = on`)
    await ask(admin.href, endConnections)
    await expect
      .poll(createProduct, POLL)
      .toMatchObject({ status: 503, json: { code: 'SERVICE_UNAVAILABLE' } })
    // The connections are not ended here. The process must open a new one after a refusal.
    await ask(admin.href, `alter database ${name} reset default_transaction_read_only`)
    await expect.poll(async () => (await createProduct()).status, POLL).toBe(201)

    const rename = (from: string, to: string) =>
      vi.waitFor(() => ask(admin.href, `alter database ${from} rename to ${to}`), POLL)
    await ask(admin.href, `alter database ${name} with allow_connections false`)
    await ask(admin.href, endConnections)
    expect(await createProduct()).toMatchObject({ status: 503 })
    await rename(name, `${name}_away`)
    const readiness = async () => (await fetch(`${server.origin}/readyz`)).status
    try {
      await expect.poll(readiness, POLL).toBe(503)
    } finally {
      await rename(`${name}_away`, name)
    }
    await ask(admin.href, `alter database ${name} with allow_connections true`)
    await expect.poll(readiness, POLL).toBe(200)
  } finally {
    await installation.close()
    await drop()
  }
})
