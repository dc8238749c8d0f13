import { type ChildProcess, spawn } from 'node:child_process'
import { cpus } from 'node:os'
import { expect, test } from 'vitest'
import { keysNamed } from '../build.ts'
import { openServedDatabase, type ServedStore } from '../concurrency/open-served-database.ts'
import { countersOf, type OnSale, putOnSale } from '../concurrency/put-on-sale.ts'
import { endChild } from '../postgres/workplace.ts'
import { call } from '../process/client.ts'
import { openPostgres, postgresOrSkip } from '../process/real-postgres.ts'
import { elapse } from '../until.ts'

const BUYERS = 200
const UNITS = 50
/** With 2 busy processes for each core, PostgreSQL and this process get at most half of the machine. */
const BUSY_PROCESSES_OF_CORE = 2
const MEASURED_MS = 1_000
/** A busy process ends automatically after this time, even if this process is killed. */
const BUSY_MS = 60_000

test('on a busy machine, each of 200 concurrent buyers of 50 units gets an order or OUT_OF_STOCK, never 503 (decision 132)', async (context) => {
  const database = await openServedDatabase(postgresOrSkip(context, await openPostgres()))
  try {
    const tradepost = await database.openStore()
    const game = await putOnSale(tradepost, keysNamed('BUSY-ABCDEFGH', UNITS))
    const busyProcesses = startBusyProcesses(await countIdleCores())
    try {
      const answers = await Promise.all(
        Array.from({ length: BUYERS }, (_, n) => buy(tradepost, game, n)),
      )
      const counts: Record<string, number> = {}
      for (const answer of answers) counts[answer] = (counts[answer] ?? 0) + 1
      expect(counts).toEqual({ '201': UNITS, OUT_OF_STOCK: BUYERS - UNITS })
      expect(await countersOf(tradepost, game.variantId)).toMatchObject({
        reserved: UNITS,
        sold: 0,
      })
    } finally {
      await endAll(busyProcesses)
    }
  } finally {
    await database.close()
  }
})

async function buy({ targets }: ServedStore, { id }: OnSale, n: number): Promise<string> {
  const customer = { email: `buyer-${n}@example.com` }
  const body = { items: [{ product_id: id, quantity: 1 }], customer }
  const { status, json } = await call(targets[0], 'POST', '/orders', { body })
  return status === 201 ? '201' : status === 503 ? `503 ${json.error}` : json.code
}

/** Returns the number of cores that have nothing to do. A machine that is busy already is not made busier. */
async function countIdleCores(): Promise<number> {
  const idle_ms = () => cpus().reduce((sum, { times }) => sum + times.idle, 0)
  const before = idle_ms()
  await elapse(MEASURED_MS)
  return Math.round((idle_ms() - before) / MEASURED_MS)
}

function startBusyProcesses(cores: number): ChildProcess[] {
  const program = `const end = performance.now() + ${BUSY_MS}; while (performance.now() < end);`
  return Array.from({ length: BUSY_PROCESSES_OF_CORE * cores }, () =>
    spawn(process.execPath, ['-e', program]),
  )
}

const endAll = (children: readonly ChildProcess[]) =>
  Promise.all(children.map((child) => endChild(child, 'SIGKILL')))
