import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { type Engine, type EngineDeath, openEngine } from './engine.ts'

const ENDLESS = 'select count(*) from generate_series(1, 1000000000000)'

let engine: Engine
let pool: pg.Pool
let deaths: EngineDeath[] = []
/** How long an engine may be silent; longer on a machine that is slow to open one. */
let patience_ms = 2_000

/** Takes the same time on a busy machine as on an idle one. */
const slow = (n: number, seconds: number) => `select ${n} as n, pg_sleep(${seconds})`

/** Only this statement times out, so that the others may take their time. */
const hastily = (text: string) => ({ text, query_timeout: 400 }) as pg.QueryConfig

function openPool(config: pg.PoolConfig = {}, { connect } = engine) {
  const opened = new pg.Pool({ stream: connect, ssl: false, ...config })
  opened.on('error', () => {})
  opened.on('connect', (client) => client.on('error', () => {}))
  return opened
}

beforeAll(async () => {
  const seed = await openEngine({ loadDump: await readFile(inject('template')) })
  const client = new pg.Client({ stream: seed.connect, ssl: false })
  await client.connect()
  await client.query("create table seed as select 'dumped' as body")
  await client.end()
  const dump = await seed.dump()
  const begun = performance.now()
  engine = await openEngine({
    loadDump: dump,
    onDeath: (death) => deaths.push(death),
  })
  patience_ms = Math.round(Math.min(6_000, Math.max(2_000, 3 * (performance.now() - begun))))
  await seed.close()
  pool = openPool()
})
afterAll(async () => {
  await pool.end()
  await engine.close()
})
beforeEach(async () => {
  deaths = []
  await pool.query('drop table if exists note; create table note (id int primary key, body text)')
})

const ids = async () => (await pool.query('select id from note order by id')).rows.map((r) => r.id)

test('an error inside a batch fails that statement only, in a transaction and outside', async () => {
  const client = await pool.connect()
  await expect(client.query('select $1::int / 0', [1])).rejects.toMatchObject({ code: '22012' })
  expect((await client.query('select $1::int as n', [7])).rows).toEqual([{ n: 7 }])
  await client.query('begin')
  await expect(client.query('select nothing($1)', [1])).rejects.toMatchObject({ code: '42883' })
  await expect(client.query('select $1::int', [1])).rejects.toMatchObject({ code: '25P02' })
  const other = pool.query('insert into note values ($1)', [1])
  await client.query('rollback')
  await other
  client.release()
  expect(await ids()).toEqual([1])
})

test('a parameter that cannot be bound does not affect the next statement', async () => {
  const unbindable = {
    toPostgres: () => {
      throw new Error('no value')
    },
  }
  const failed = pool.query('select $1::int', [unbindable])
  await expect(failed).rejects.toThrow('no value')
  const answers = await Promise.all([1, 2, 3].map((n) => pool.query('select $1::int as n', [n])))
  expect(answers.map(({ rows }) => rows[0].n)).toEqual([1, 2, 3])
})

test.each(['simple', 'extended'])(
  'copy from stdin is refused (%s), and the engine lives',
  async (queryMode) => {
    const client = await pool.connect()
    await client.query('begin')
    const copy = client.query({ text: 'copy note from stdin', queryMode } as pg.QueryConfig)
    await expect(copy).rejects.toMatchObject({ code: '57014' })
    await client.query('rollback')
    expect((await client.query('select $1::int as n', [1])).rows).toEqual([{ n: 1 }])
    client.release()
    expect(await ids()).toEqual([])
    expect(deaths).toEqual([])
  },
)

test('a value of 10 MB is written and read back', async () => {
  const body = 'é'.repeat(5 * 1024 * 1024)
  const written = await pool.query('insert into note values (1, $1) returning body', [body])
  expect(written.rows[0].body === body).toBe(true)
})

test('statements waiting on a closed connection are not run', async () => {
  const holder = await pool.connect()
  const gone = new pg.Client({ stream: engine.connect, ssl: false })
  gone.on('error', () => {})
  await gone.connect()
  await holder.query('begin')
  const dropped = expect(gone.query('insert into note values (1)')).rejects.toThrow('terminated')
  await pause(50)
  await gone.end()
  await dropped
  await pause(200)
  await holder.query('insert into note values (2)')
  await holder.query('commit')
  holder.release()
  expect(await ids()).toEqual([2])
})

test('a client that sends Terminate gets its results, and its connection closes', async () => {
  const client = new pg.Client({ stream: engine.connect, ssl: false })
  await client.connect()
  await client.query('insert into note values (1)')
  await client.end()
  expect(await ids()).toEqual([1])
})

test('a cancel request opens no session', async () => {
  const stream = engine.connect()
  const request = Buffer.alloc(16)
  request.writeInt32BE(16, 0)
  request.writeInt32BE(80877102, 4)
  const ended = new Promise((resolve) => stream.once('error', resolve))
  stream.write(request)
  expect(await ended).toMatchObject({ message: 'The embedded database ended the connection.' })
})

test('the late answer to a timed-out query reaches no other query', async () => {
  const hasty = openPool({ max: 1 })
  const client = await hasty.connect()
  await expect(client.query(hastily(slow(1, 0.7)))).rejects.toThrow('timeout')
  const next = await client.query('select $1::int as n', [2])
  const after = await client.query('select $1::int as n', [3])
  expect([next, after].map(({ rows }) => rows)).toEqual([[{ n: 2 }], [{ n: 3 }]])
  client.release()
  await hasty.end()
})

test('a released client whose query timed out in a transaction does not affect others', async () => {
  const hasty = openPool({ max: 1 })
  const client = await hasty.connect()
  await client.query('begin')
  await client.query('insert into note values (1)')
  await expect(client.query(hastily(slow(1, 0.7)))).rejects.toThrow('timeout')
  client.release(true)
  await pool.query('insert into note values (2)')
  await hasty.end()
  expect(await ids()).toEqual([2])
})

describe('an engine with a short statement timeout', () => {
  let strict: Engine
  let strictPool: pg.Pool
  const ends: EngineDeath[] = []

  beforeAll(async () => {
    strict = await openEngine({
      loadDump: await readFile(inject('template')),
      limits: { statement_ms: patience_ms },
      onDeath: (death) => ends.push(death),
    })
    strictPool = openPool({}, strict)
  })
  afterAll(async () => {
    await strictPool.end()
    await strict.close()
  })

  test('is not stopped by many statements that together take longer', async () => {
    const answers = await Promise.all(
      [1, 2, 3, 4].map((n) => strictPool.query(slow(n, (0.3 * patience_ms) / 1_000))),
    )
    expect(answers.map(({ rows }) => rows[0].n)).toEqual([1, 2, 3, 4])
    expect(ends).toEqual([])
  })

  test('is stopped if a statement never ends, and serves the next', async () => {
    const failed = expect(strictPool.query(ENDLESS)).rejects.toThrow('ended the connection')
    await pause(50)
    const concurrent = expect(strictPool.query('select 1')).rejects.toThrow('ended the connection')
    await failed
    await concurrent
    // On an overloaded machine the new engine may take as long before it serves.
    const served = await vi.waitFor(() => strictPool.query('select 1 as n'), 60_000)
    expect(served.rows).toEqual([{ n: 1 }])
    expect(ends[0]).toMatchObject({ fatal: false })
    expect(ends[0]?.message).toContain(`silent for ${patience_ms} ms`)
  })
})

test('an engine starts with the data of a dump each time', async () => {
  expect((await pool.query('select body from seed')).rows).toEqual([{ body: 'dumped' }])
})

test('the fourth death in ten minutes is reported as fatal', async () => {
  for (let death = 1; death <= 4; death++) {
    await engine.terminate()
    // The pool notices closed connections a moment later.
    await vi.waitFor(() => pool.query('select 1'), 60_000)
  }
  expect(deaths.map(({ fatal }) => fatal)).toEqual([false, false, false, true])
  expect(deaths.at(-1)?.message).toContain('died')
})
