import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { elapse } from '../../../../test/until.ts'
import { SECOND_MS } from '../../../kernel/time.ts'
import { selectStore } from '../../installation/index.ts'
import { workOnDue } from './work-on-due.ts'

let tradepost: Tradepost
let firstStore: number
let secondStore: number

beforeAll(async () => {
  tradepost = await openTradepost()
  const idOf = async (hash: string) => (await selectStore(tradepost.db, hash))?.id ?? 0
  firstStore = await idOf(tradepost.live.id)
  secondStore = await idOf(tradepost.other.id)
})
afterAll(() => tradepost.close())

interface Row {
  store_id: number
  id: string
}

const rowsOf = (store_id: number, name: string, count: number): Row[] =>
  Array.from({ length: count }, (_, index) => ({ store_id, id: `${name}${index + 1}` }))

/** Works on rows, and returns those that `work` was called for and those that were left. */
async function workOn(rows: readonly Row[], work: (row: Row) => Promise<unknown>) {
  const asked: string[] = []
  const left: string[] = []
  await workOnDue(tradepost.app, rows, {
    work(_context, row) {
      asked.push(row.id)
      return work(row)
    },
    onLeft: ({ id }) => left.push(id),
  })
  return { asked, left }
}

test('a silent provider is asked about eight rows of its store, and the rows of other stores are worked on', async () => {
  const rows = [...rowsOf(firstStore, 'silent', 12), ...rowsOf(secondStore, 'fine', 12)]
  const { asked, left } = await workOn(rows, async ({ id }) => {
    if (!id.startsWith('silent')) return
    await elapse(3 * SECOND_MS)
    throw new Error('no answer')
  })
  expect(asked.filter((id) => id.startsWith('silent'))).toHaveLength(8)
  expect(asked.filter((id) => id.startsWith('fine'))).toHaveLength(12)
  expect(left.sort()).toEqual(
    rowsOf(firstStore, 'silent', 12)
      .map(({ id }) => id)
      .sort(),
  )
})

test('a provider that refuses at once is asked about each row', async () => {
  const rows = rowsOf(firstStore, 'refused', 12)
  const { asked, left } = await workOn(rows, async () => {
    throw new Error('refused')
  })
  expect(asked).toHaveLength(12)
  expect(left).toHaveLength(12)
})

/** Works on 12 rows that take this long each. Returns when each began and ended, in milliseconds. */
async function timesOf(duration_ms: number): Promise<{ begin: number; end: number }[]> {
  const times: { begin: number; end: number }[] = []
  await workOn(rowsOf(firstStore, 'row', 12), async () => {
    const time = { begin: performance.now(), end: Number.POSITIVE_INFINITY }
    times.push(time)
    await elapse(duration_ms)
    time.end = performance.now()
  })
  return times
}

test('slow providers are asked eight at once', async () => {
  const times = await timesOf(2 * SECOND_MS)
  const countAt = (now: number) =>
    times.filter(({ begin, end }) => begin <= now && now < end).length
  expect(Math.max(...times.map(({ begin }) => countAt(begin)))).toBe(8)
})

test('the next provider is asked when the last one has answered', async () => {
  const times = await timesOf(10)
  // A busy machine may need longer than the turn of 50 ms for a row.
  const isEarly = ({ begin }: { begin: number }, index: number) => {
    const last = times[index - 1]
    return last !== undefined && begin < last.end && begin - last.begin < 20
  }
  expect(times.filter(isEarly)).toEqual([])
})
