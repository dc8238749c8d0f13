import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { elapse } from '../../../test/until.ts'
import { type Engine, type EngineCrash, openEngine } from './engine.ts'

const ENDLESS = 'select count(*) from generate_series(1, 1000000000000)'

let engine: Engine
let pool: pg.Pool
let crashes: EngineCrash[] = []
/** The statement timeout of the strict engine, longer on a machine that opens an engine slowly. */
let patience_ms = 2_000

/** A statement that takes the same time on a busy machine as on an idle one. */
const sleepStatement = (n: number, seconds: number) => `select ${n} as n, pg_sleep(${seconds})`

/** A statement with a timeout of 0.4 s. The other statements have none. */
const withShortTimeout = (text: string) => ({ text, query_timeout: 400 }) as pg.QueryConfig

function openPool(config: pg.PoolConfig = {}, { connect } = engine) {
  const newPool = new pg.Pool({ stream: connect, ssl: false, ...config })
  newPool.on('error', () => {})
  newPool.on('connect', (client) => client.on('error', () => {}))
  return newPool
}

beforeAll(async () => {
  const seed = await openEngine({ loadDump: await readFile(inject('template')) })
  const client = new pg.Client({ stream: seed.connect, ssl: false })
  await client.connect()
  await client.query("create table seed as select 'dumped' as body")
  await client.end()
  const dump = await seed.dump()
  const openedAt_ms = performance.now()
  engine = await openEngine({
    loadDump: dump,
    onCrash: (crash) => crashes.push(crash),
  })
  patience_ms = Math.round(Math.min(6_000, Math.max(2_000, 3 * (performance.now() - openedAt_ms))))
  await seed.close()
  pool = openPool()
})
afterAll(async () => {
  await pool.end()
  await engine.close()
})
beforeEach(async () => {
  crashes = []
  await pool.query('drop table if exists note; create table note (id int primary key, body text)')
})

const ids = async () =>
  (await pool.query('select id from note order by id')).rows.map(({ id }) => id)

test('an error fails its statement only outside a transaction, and every later statement inside one', async () => {
  const client = await pool.connect()
  await expect(client.query('select $1::int / 0', [1])).rejects.toMatchObject({ code: '22012' })
  expect((await client.query('select $1::int as n', [7])).rows).toEqual([{ n: 7 }])
  await client.query('begin')
  await expect(client.query('select nothing($1)', [1])).rejects.toMatchObject({ code: '42883' })
  await expect(client.query('select $1::int', [1])).rejects.toMatchObject({ code: '25P02' })
  const otherInsert = pool.query('insert into note values ($1)', [1])
  await client.query('rollback')
  await otherInsert
  client.release()
  expect(await ids()).toEqual([1])
})

test('a parameter that cannot be bound does not affect the next statement', async () => {
  const unbindableValue = {
    toPostgres: () => {
      throw new Error('no value')
    },
  }
  const failed = pool.query('select $1::int', [unbindableValue])
  await expect(failed).rejects.toThrow('no value')
  const answers = await Promise.all([1, 2, 3].map((n) => pool.query('select $1::int as n', [n])))
  expect(answers.map(({ rows }) => rows[0].n)).toEqual([1, 2, 3])
})

test.each(['simple', 'extended'])(
  'copy from stdin is refused (%s), and the engine continues',
  async (queryMode) => {
    const client = await pool.connect()
    await client.query('begin')
    const copy = client.query({ text: 'copy note from stdin', queryMode } as pg.QueryConfig)
    await expect(copy).rejects.toMatchObject({ code: '57014' })
    await client.query('rollback')
    expect((await client.query('select $1::int as n', [1])).rows).toEqual([{ n: 1 }])
    client.release()
    expect(await ids()).toEqual([])
    expect(crashes).toEqual([])
  },
)

test('a value of 10 MB is written and read back', async () => {
  const body = 'é'.repeat(5 * 1024 * 1024)
  const result = await pool.query('insert into note values (1, $1) returning body', [body])
  expect(result.rows[0].body === body).toBe(true)
})

test('statements that wait on a closed connection are not run', async () => {
  const transactionClient = await pool.connect()
  const closedClient = new pg.Client({ stream: engine.connect, ssl: false })
  closedClient.on('error', () => {})
  await closedClient.connect()
  await transactionClient.query('begin')
  const droppedStatement = expect(
    closedClient.query('insert into note values (1)'),
  ).rejects.toThrow('terminated')
  await elapse(50)
  await closedClient.end()
  await droppedStatement
  await elapse(200)
  await transactionClient.query('insert into note values (2)')
  await transactionClient.query('commit')
  transactionClient.release()
  expect(await ids()).toEqual([2])
})

test('the statements of a client that then ends its connection are executed', async () => {
  const client = new pg.Client({ stream: engine.connect, ssl: false })
  await client.connect()
  await client.query('insert into note values (1)')
  await client.end()
  expect(await ids()).toEqual([1])
})

/** The code in the PostgreSQL protocol that marks a first packet as a cancel request. */
const CANCEL_REQUEST_CODE = 80877102

test('a cancel request opens no session', async () => {
  const stream = engine.connect()
  const request = Buffer.alloc(16)
  request.writeInt32BE(16, 0)
  request.writeInt32BE(CANCEL_REQUEST_CODE, 4)
  const streamError = new Promise((resolve) => stream.once('error', resolve))
  stream.write(request)
  expect(await streamError).toMatchObject({
    message: 'The embedded database ended the connection.',
  })
})

test('the late answer to a timed-out query reaches no other query', async () => {
  const otherPool = openPool({ max: 1 })
  const client = await otherPool.connect()
  await expect(client.query(withShortTimeout(sleepStatement(1, 0.7)))).rejects.toThrow('timeout')
  const second = await client.query('select $1::int as n', [2])
  const third = await client.query('select $1::int as n', [3])
  expect([second, third].map(({ rows }) => rows)).toEqual([[{ n: 2 }], [{ n: 3 }]])
  client.release()
  await otherPool.end()
})

test('a released client whose query timed out in a transaction does not affect others', async () => {
  const otherPool = openPool({ max: 1 })
  const client = await otherPool.connect()
  await client.query('begin')
  await client.query('insert into note values (1)')
  await expect(client.query(withShortTimeout(sleepStatement(1, 0.7)))).rejects.toThrow('timeout')
  client.release(true)
  await pool.query('insert into note values (2)')
  await otherPool.end()
  expect(await ids()).toEqual([2])
})

describe('an engine with a short statement timeout', () => {
  let strictEngine: Engine
  let strictPool: pg.Pool
  const strictCrashes: EngineCrash[] = []

  beforeAll(async () => {
    strictEngine = await openEngine({
      loadDump: await readFile(inject('template')),
      limits: { statement_ms: patience_ms },
      onCrash: (crash) => strictCrashes.push(crash),
    })
    strictPool = openPool({}, strictEngine)
  })
  afterAll(async () => {
    await strictPool.end()
    await strictEngine.close()
  })

  test('is not stopped by many statements that take longer together', async () => {
    const answers = await Promise.all(
      [1, 2, 3, 4].map((n) => strictPool.query(sleepStatement(n, (0.3 * patience_ms) / 1_000))),
    )
    expect(answers.map(({ rows }) => rows[0].n)).toEqual([1, 2, 3, 4])
    expect(strictCrashes).toEqual([])
  })

  test('stops a statement that never ends, and serves the next one', async () => {
    const endlessStatement = expect(strictPool.query(ENDLESS)).rejects.toThrow(
      'ended the connection',
    )
    await elapse(50)
    const waitingStatement = expect(strictPool.query('select 1')).rejects.toThrow(
      'ended the connection',
    )
    await endlessStatement
    await waitingStatement
    // On an overloaded machine the new engine may need as long before it serves.
    const result = await vi.waitFor(() => strictPool.query('select 1 as n'), 60_000)
    expect(result.rows).toEqual([{ n: 1 }])
    expect(strictCrashes[0]).toMatchObject({ isFatal: false })
    expect(strictCrashes[0]?.message).toContain(`did not answer for ${patience_ms} ms`)
  })
})

test('an engine loads the data of its dump at each start', async () => {
  expect((await pool.query('select body from seed')).rows).toEqual([{ body: 'dumped' }])
})

test('the fourth crash in ten minutes is reported as fatal', async () => {
  for (let crash = 1; crash <= 4; crash++) {
    await engine.terminate()
    // The pool detects closed connections a moment later.
    await vi.waitFor(() => pool.query('select 1'), 60_000)
  }
  expect(crashes.map(({ isFatal }) => isFatal)).toEqual([false, false, false, true])
  expect(crashes.at(-1)?.message).toContain('crashed')
})
