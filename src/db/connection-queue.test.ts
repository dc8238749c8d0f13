import { expect, test } from 'vitest'
import { ConnectionQueue, DatabaseBusyError, type Release } from './connection-queue.ts'
import { QUEUE_LIMITS } from './queue.rules.ts'

function openQueue(connections: number) {
  const clock = { now_ms: 0 }
  const queue = new ConnectionQueue(connections, QUEUE_LIMITS, () => clock.now_ms)
  const admitted: number[] = []
  const releases: Release[] = []
  const enter = (n: number) =>
    queue.enter().then((release) => {
      admitted.push(n)
      releases[n] = release
    })
  /** Advances the time and runs the checks of the queue's timer. */
  const advance = (ms: number) => {
    for (let passed = 0; passed < ms; passed += 250) {
      clock.now_ms += 250
      queue.check()
    }
  }
  return { clock, queue, admitted, releases, enter, advance }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('each connection admits one caller, and the others are admitted in the order of their arrival', async () => {
  const { admitted, releases, enter } = openQueue(2)
  for (let n = 0; n < 4; n++) void enter(n)
  await turn()
  expect(admitted).toEqual([0, 1])
  releases[1]?.('served')
  // A repeated release has no effect.
  releases[1]?.('served')
  await turn()
  expect(admitted).toEqual([0, 1, 2])
  releases[0]?.('failed')
  await turn()
  expect(admitted).toEqual([0, 1, 2, 3])
})

test('a caller waits longer than 2 s while others are served (decision 132)', async () => {
  const { admitted, releases, enter, advance } = openQueue(1)
  const callers = Array.from({ length: 9 }, (_, n) => enter(n))
  for (let n = 0; n < 8; n++) {
    await turn()
    advance(1_000)
    releases[n]?.('served')
  }
  await Promise.all(callers)
  expect(admitted).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
})

test('after 2 s without progress the error says that the database does not answer (decision 132)', async () => {
  const { enter, advance } = openQueue(1)
  await enter(0)
  const waiter = enter(1)
  const refused = expect(waiter).rejects.toThrow(
    'The database does not answer: the only connection did not become free in 2 s.',
  )
  advance(2_000)
  await refused
  await expect(waiter).rejects.toBeInstanceOf(DatabaseBusyError)
})

test('after 10 s the error contains the length of the queue (decision 132)', async () => {
  const { releases, enter, advance } = openQueue(1)
  await enter(0)
  const callers = Array.from({ length: 30 }, (_, n) => enter(n + 1).catch((error) => error))
  for (let n = 0; n < 10; n++) {
    advance(1_000)
    releases[n]?.('served')
    await turn()
  }
  advance(250)
  const last = await callers[29]
  expect(last).toBeInstanceOf(DatabaseBusyError)
  expect(last.message).toMatch(/^The queue for a database connection is too long: .* waited 10 s/)
})

test('a caller whose wait would exceed the limit is refused at once, with the length of the queue and the wait (decision 132)', async () => {
  const { clock, releases, enter } = openQueue(1)
  await enter(0)
  clock.now_ms = 1_000
  releases[0]?.('served')
  await enter(1)
  for (let n = 2; n < 502; n++) enter(n).catch(() => {})
  await expect(enter(502)).rejects.toThrow(
    'The queue for a database connection is full: 500 calls wait for the one connection, and this one would wait about 73 s.',
  )
})
