import { expect, test } from 'vitest'
import { createCaches } from './caches.ts'

function openCache({ ttl = 1_000, max }: { ttl?: number; max?: number } = {}) {
  const clock = { at: 0, now: () => clock.at }
  const caches = createCaches(clock)
  const cache = caches.open<string, string>(ttl, max)
  const found: string[] = []
  const get = (key: string, value = `${key}${found.length}`) =>
    cache.get(key, async () => {
      found.push(key)
      return value
    })
  return { clock, caches, cache, found, get }
}

test('a value is cached until its time to live ends, to the millisecond', async () => {
  const { clock, found, get } = openCache({ ttl: 1_000 })
  expect(await get('a')).toBe('a0')
  clock.at = 999
  expect(await get('a')).toBe('a0')
  clock.at = 1_000
  expect(await get('a')).toBe('a1')
  expect(found).toEqual(['a', 'a'])
})

test('concurrent callers share one lookup', async () => {
  const { found, get } = openCache()
  expect(await Promise.all([get('a'), get('a'), get('a')])).toEqual(['a0', 'a0', 'a0'])
  expect(found).toEqual(['a'])
})

test('a failed lookup is not cached, and each of its callers gets the error', async () => {
  const { cache, get } = openCache()
  const fails = () => Promise.reject(new Error('away'))
  const callers = await Promise.allSettled([cache.get('a', fails), cache.get('a', fails)])
  expect(callers.map((caller) => caller.status)).toEqual(['rejected', 'rejected'])
  expect(await get('a')).toBe('a0')
})

test('a full cache evicts the least recently used entry (decision 231)', async () => {
  const { found, get } = openCache({ max: 2 })
  for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await get(key)
  expect(found).toEqual(['a', 'b', 'c', 'b'])
})

test('a failed lookup does not remove a newer one of the same key (decision 231)', async () => {
  const { caches, cache, found, get } = openCache()
  let fail = (_: Error) => {}
  const early = cache.get('a', () => new Promise<string>((_, reject) => (fail = reject)))
  caches.clear()
  await get('a', 'newer')
  fail(new Error('away'))
  await expect(early).rejects.toThrow('away')
  expect(await get('a', 'again')).toBe('newer')
  expect(found).toEqual(['a'])
})

test('the time to live may depend on the value', async () => {
  const clock = { at: 0, now: () => clock.at }
  const cache = createCaches(clock).open<string, number>((value) => value)
  let finds = 0
  const get = (key: string, lives: number) =>
    cache.get(key, async () => {
      finds++
      return lives
    })
  await get('short', 10)
  await get('long', 100)
  clock.at = 50
  await get('short', 10)
  await get('long', 100)
  expect(finds).toBe(3)
})

test('after clear, all caches look up again', async () => {
  const { caches, found, get } = openCache()
  const other = caches.open<string, number>(1_000)
  let others = 0
  await get('a')
  await other.get('x', async () => ++others)
  caches.clear()
  expect(await get('a')).toBe('a1')
  expect(await other.get('x', async () => ++others)).toBe(2)
  expect(found).toEqual(['a', 'a'])
})

test('a lookup that was running when the caches were cleared is not cached', async () => {
  const { caches, cache, get } = openCache()
  let answer = (_: string) => {}
  const early = cache.get('a', () => new Promise<string>((resolve) => (answer = resolve)))
  caches.clear()
  answer('stale')
  expect(await early).toBe('stale')
  expect(await get('a', 'fresh')).toBe('fresh')
})
