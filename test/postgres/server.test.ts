import { access } from 'node:fs/promises'
import pg from 'pg'
import { expect, type TestContext, test } from 'vitest'
import { startPgBouncer } from './pgbouncer.ts'
import { type PostgresServer, startPostgres, testDatabaseUrl, type Unavailable } from './server.ts'

test('a committed row still exists after an immediate stop and a start', async (context) => {
  const server = await serverOrSkip(context)
  try {
    await ask(server.url, 'create table note as select 1 as id')
    await server.stop('immediate')
    await expect(ask(server.url, 'select 1')).rejects.toThrow()

    await server.start()
    expect(await ask(server.url, 'select id from note')).toEqual([{ id: 1 }])
  } finally {
    await server.close()
  }
  await expect(access(server.dataDir)).rejects.toThrow('ENOENT')
})

test('a server whose postmaster was killed can be started again, with another pid and fsync on', async (context) => {
  const server = await serverOrSkip(context)
  try {
    const before = server.pid
    process.kill(before, 'SIGKILL')
    await server.start()
    expect(server.pid).not.toBe(before)
    expect(await ask(server.url, 'show fsync')).toEqual([{ fsync: 'on' }])
  } finally {
    await server.close()
  }
})

test('PgBouncer accepts every database, and 40 clients share at most ten sessions', async (context) => {
  const server = await serverOrSkip(context)
  const bouncer = await startPgBouncer(server.url)
  try {
    if ('unavailable' in bouncer) return context.skip(bouncer.unavailable)
    await ask(server.url, 'create database shop')
    const url = new URL(bouncer.url)
    url.pathname = '/shop'
    expect(await ask(url.href, 'select current_database() as name')).toEqual([{ name: 'shop' }])

    const clients = Array.from({ length: 40 }, () => new pg.Client(url.href))
    await Promise.all(clients.map((client) => client.connect()))
    await Promise.all(clients.map((client) => client.query('select pg_sleep(0.02)')))
    const statement = `select count(*)::int as sessions from pg_stat_activity where datname = 'shop'`
    const [row] = (await ask(server.url, statement)) as { sessions: number }[]
    expect(row?.sessions).toBeGreaterThan(0)
    expect(row?.sessions).toBeLessThanOrEqual(10)
    await Promise.all(clients.map((client) => client.end()))
  } finally {
    if (!('unavailable' in bouncer)) await bouncer.close()
    await server.close()
  }
})

async function serverOrSkip(context: TestContext): Promise<PostgresServer> {
  const server: PostgresServer | Unavailable = await startPostgres()
  if (!('unavailable' in server)) return server
  if (process.env.CI && testDatabaseUrl() === undefined) throw new Error(server.unavailable)
  return context.skip(server.unavailable)
}

async function ask(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}
