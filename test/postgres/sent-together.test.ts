import { CompiledQuery } from 'kysely'
import { expect, type TestContext, test } from 'vitest'
import { type Db, inTransaction, openDatabase, type Tx } from '../../src/db/database.ts'
import { isUnavailable } from '../../src/db/failure.ts'
import { allRows, execute, onlyValue, send } from '../../src/db/rows.ts'
import { migratedDatabase, sharedPostgres } from '../process/real-postgres.ts'

// Statements of a transaction that are sent together (decision 449).

const server = sharedPostgres()

/** Runs a test on a database with a table `t`. `packets` counts what the connections write to their sockets. */
async function withTable(
  context: TestContext,
  work: (db: Db, packets: () => number) => Promise<void>,
): Promise<void> {
  const database = await migratedDatabase(server(context))
  let count = 0
  const db = openDatabase({
    url: database.url,
    onConnect(client) {
      const { stream } = (client as unknown as { connection: { stream: NodeJS.WritableStream } })
        .connection
      const handle = (stream as unknown as { _handle: Record<string, unknown> })._handle
      for (const name of ['writev', 'writeBuffer', 'writeUtf8String', 'writeLatin1String']) {
        const write = (handle[name] as (...args: unknown[]) => unknown).bind(handle)
        handle[name] = (...args: unknown[]) => {
          count++
          return write(...args)
        }
      }
    },
  })
  try {
    await db.executeQuery(CompiledQuery.raw('create table t (n integer primary key)'))
    await work(db, () => count)
  } finally {
    await db.destroy()
    await database.drop()
  }
}

const insert = (tx: Tx, n: unknown) => send(tx)`insert into t values (${n})`
const numbersIn = (db: Db) => allRows<{ n: number }>(db)`select n from t order by n`

test('begin and statements without a result are sent with the next statement, in one packet', async (context) => {
  await withTable(context, async (db, packets) => {
    const before = packets()
    const sum = await inTransaction(db, async (tx) => {
      await insert(tx, 1)
      await insert(tx, 2)
      return onlyValue<number>(tx)`select sum(n)::int from t where n > ${0}`
    })
    expect(sum).toBe(3)
    // The second packet is the commit.
    expect(packets() - before).toBe(2)
    expect(await numbersIn(db)).toEqual([{ n: 1 }, { n: 2 }])
  })
})

test('the commit is sent with the statements before it, whose numbers of changed rows are known then', async (context) => {
  await withTable(context, async (db, packets) => {
    const before = packets()
    const [inserted, updated] = await inTransaction(db, async (tx) => [
      await insert(tx, 1),
      await send(tx)`update t set n = ${3} where n = ${2}`,
    ])
    expect(packets() - before).toBe(1)
    expect([inserted?.changedCount, updated?.changedCount]).toEqual([1, 0])
    expect(await numbersIn(db)).toEqual([{ n: 1 }])
  })
})

test('a transaction without statements sends nothing', async (context) => {
  await withTable(context, async (db, packets) => {
    const before = packets()
    await inTransaction(db, async () => {})
    await expect(
      inTransaction(db, async () => {
        throw new Error('refused')
      }),
    ).rejects.toThrow('refused')
    expect(packets()).toBe(before)
  })
})

test('a statement that was sent with the next one fails the next one, or the commit, and nothing is written', async (context) => {
  await withTable(context, async (db) => {
    const twice = async (tx: Tx) => {
      await insert(tx, 7)
      await insert(tx, 7)
    }
    const duplicate = { code: '23505' }
    await expect(inTransaction(db, twice)).rejects.toMatchObject(duplicate)
    await expect(
      inTransaction(db, async (tx) => {
        await twice(tx)
        await execute(tx)`select ${1}::int`
      }),
    ).rejects.toMatchObject(duplicate)
    expect(await numbersIn(db)).toEqual([])
  })
})

test('if a statement cannot be sent, the transaction is not committed without it', async (context) => {
  await withTable(context, async (db) => {
    const circular: Record<string, unknown> = {}
    circular.self = circular
    await expect(
      inTransaction(db, async (tx) => {
        await insert(tx, 1)
        await insert(tx, circular)
      }),
    ).rejects.toThrow(/circular/i)
    expect(await numbersIn(db)).toEqual([])
    await inTransaction(db, (tx) => insert(tx, 2))
    expect(await numbersIn(db)).toEqual([{ n: 2 }])
  })
})

test('after a migration, a prepared statement that was sent with others fails once, and then a new connection runs it', async (context) => {
  await withTable(context, async (db) => {
    const readAndInsert = (n: number) =>
      inTransaction(db, async (tx) => {
        await send(tx)`select * from t where n = ${n}`
        await insert(tx, n)
      })
    for (let n = 0; n < 5; n++) await readAndInsert(n)
    await db.executeQuery(CompiledQuery.raw('alter table t add column text text'))
    const error = await readAndInsert(5).catch((cause: Error) => cause)
    expect(error).toMatchObject({ message: expect.stringContaining('cached plan') })
    expect(isUnavailable(error)).toBe(true)
    await readAndInsert(6)
    const numbers = (await numbersIn(db)).map(({ n }) => n)
    expect(numbers).toEqual([0, 1, 2, 3, 4, 6])
  })
})
