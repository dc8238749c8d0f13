import { expect, test } from 'vitest'
import { ConnectionQueue, DatabaseBusyError, type Free } from './connection-queue.ts'
import { QUEUE_LIMITS } from './queue.rules.ts'

function openQueue(connections: number) {
  const clock = { at: 0 }
  const queue = new ConnectionQueue(connections, QUEUE_LIMITS, () => clock.at)
  const admitted: number[] = []
  const frees: Free[] = []
  const enter = (n: number) =>
    queue.enter().then((free) => {
      admitted.push(n)
      frees[n] = free
    })
  /** Advances the time, as the queue's timer sees it. */
  const pass = (ms: number) => {
    for (let passed = 0; passed < ms; passed += 250) {
      clock.at += 250
      queue.look()
    }
  }
  return { clock, queue, admitted, frees, enter, pass }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('as many callers are admitted as there are connections, then the others in order', async () => {
  const { admitted, frees, enter } = openQueue(2)
  for (let n = 0; n < 4; n++) void enter(n)
  await turn()
  expect(admitted).toEqual([0, 1])
  frees[1]?.('served')
  frees[1]?.('served')
  await turn()
  expect(admitted).toEqual([0, 1, 2])
  frees[0]?.('failed')
  await turn()
  expect(admitted).toEqual([0, 1, 2, 3])
})

test('a caller waits longer than 2 s while others are served (decision 132)', async () => {
  const { admitted, frees, enter, pass } = openQueue(1)
  const callers = Array.from({ length: 9 }, (_, n) => enter(n))
  for (let n = 0; n < 8; n++) {
    await turn()
    pass(1_000)
    frees[n]?.('served')
  }
  await Promise.all(callers)
  expect(admitted).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
})

test('after 2 s without progress the error says that the database does not answer (decision 132)', async () => {
  const { enter, pass } = openQueue(1)
  await enter(0)
  const waits = enter(1)
  const refused = expect(waits).rejects.toThrow(
    'The database does not answer: none of the one connection became free in 2 s.',
  )
  pass(2_000)
  await refused
  await expect(waits).rejects.toBeInstanceOf(DatabaseBusyError)
})

test('after 10 s the error contains the length of the queue (decision 132)', async () => {
  const { frees, enter, pass } = openQueue(1)
  await enter(0)
  const callers = Array.from({ length: 30 }, (_, n) => enter(n + 1).catch((error) => error))
  for (let n = 0; n < 10; n++) {
    pass(1_000)
    frees[n]?.('served')
    await turn()
  }
  pass(250)
  const last = await callers[29]
  expect(last).toBeInstanceOf(DatabaseBusyError)
  expect(last.message).toMatch(/^The queue for a database connection is too long: .* waited 10 s/)
})

test('a caller that would wait in vain is refused at once, with the length and the wait (decision 132)', async () => {
  const { clock, frees, enter } = openQueue(1)
  await enter(0)
  clock.at = 1_000
  frees[0]?.('served')
  await enter(1)
  for (let n = 2; n < 502; n++) enter(n).catch(() => {})
  await expect(enter(502)).rejects.toThrow(
    'The queue for a database connection is full: 500 calls wait for the one connection, and this one would wait about 73 s.',
  )
})
