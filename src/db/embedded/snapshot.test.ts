import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Engine, openEngine } from './engine.ts'

let engine: Engine

beforeAll(async () => {
  engine = await openEngine()
  await withClient((client) => client.query(INITIAL_DATA))
  engine.save()
})
afterAll(() => engine.close())

const INITIAL_DATA = `create table note (id int primary key, body text); create sequence counter;
  insert into note select n, 'first ' || n from generate_series(1, 1000) n; select nextval('counter')`

async function withClient<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ stream: engine.connect, ssl: false })
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** The state that a session sees: the database, its settings and its own session state. */
const readState = () =>
  withClient(async (client) => {
    const read = async (text: string) => (await client.query(text)).rows
    return {
      notes: await read("select count(*), md5(string_agg(body, '' order by id)) from note"),
      counter: await read('select last_value, is_called from counter'),
      names: await read('select oid, relname, relfilenode from pg_class order by oid'),
      columns: await read('select attrelid, attname from pg_attribute order by 1, 2'),
      settings: await read('select name, setting from pg_settings order by name'),
      prepared: await read('select name from pg_prepared_statements'),
      locks: await read("select count(*) from pg_locks where locktype = 'advisory'"),
      path: await read('select current_schemas(true), current_user'),
      next: await read('select nextval($$counter$$), pg_current_wal_insert_lsn()'),
    }
  })

let initialState: Awaited<ReturnType<typeof readState>>
beforeEach(async () => {
  expect(await engine.reset()).toBe(true)
  initialState = await readState()
})

test.each([
  ['rows', "update note set body = 'new'; delete from note where id > 500; analyze"],
  ['a table without rows', 'truncate note; vacuum full note'],
  [
    'tables',
    'create table more (id int); alter table note add column at timestamptz; drop sequence counter',
  ],
  ['the schema', 'drop schema public cascade; create schema public'],
  [
    'the session',
    "set search_path = ''; set timezone = 'Asia/Tokyo'; prepare p as select 1; select pg_advisory_lock(1); create temp table note (id int)",
  ],
  [
    'many rows',
    "insert into note select n, repeat('x', 500) from generate_series(2000, 60000) n; checkpoint",
  ],
  ['a transaction that is still open', 'begin; delete from note'],
  ['a transaction that failed', 'begin; select 1/0'],
])('a reset undoes the changes of a test: %s', async (_, statements) => {
  await withClient((client) => client.query(statements).catch(() => {}))
  expect(await engine.reset()).toBe(true)
  expect(await readState()).toEqual(initialState)
})

test('a reset ends connections, and with them their unfinished transactions', async () => {
  const client = new pg.Client({ stream: engine.connect, ssl: false })
  const ended = new Promise((resolve) => client.once('end', resolve))
  client.on('error', () => {})
  await client.connect()
  await client.query('begin; delete from note')
  expect(await engine.reset()).toBe(true)
  expect(await readState()).toEqual(initialState)
  await ended
})

test('an engine that loaded a PostgreSQL extension cannot be reset', async () => {
  const otherEngine = await openEngine()
  try {
    otherEngine.save()
    expect(await otherEngine.reset()).toBe(true)
    const client = new pg.Client({ stream: otherEngine.connect, ssl: false })
    await client.connect()
    await client.query("load 'plpgsql'")
    await client.end()
    expect(await otherEngine.reset()).toBe(false)
  } finally {
    await otherEngine.close()
  }
})

test('an engine that was restarted cannot be reset', async () => {
  const otherEngine = await openEngine()
  try {
    otherEngine.save()
    await otherEngine.terminate()
    expect(await otherEngine.reset()).toBe(false)
    otherEngine.connect().destroy()
    expect(await otherEngine.reset()).toBe(false)
  } finally {
    await otherEngine.close()
  }
})
