import { expect, test } from 'vitest'
import { createCaches } from './caches.ts'

function openCache({ ttl = 1_000, max }: { ttl?: number; max?: number } = {}) {
  const clock = { now_ms: 0, now: () => clock.now_ms }
  const caches = createCaches(clock)
  const cache = caches.open<string, string>(ttl, max)
  const lookups: string[] = []
  const get = (key: string, value = `${key}${lookups.length}`) =>
    cache.get(key, async () => {
      lookups.push(key)
      return value
    })
  return { clock, caches, cache, lookups, get }
}

test('a value is cached until its time to live ends, to the millisecond', async () => {
  const { clock, lookups, get } = openCache({ ttl: 1_000 })
  expect(await get('a')).toBe('a0')
  clock.now_ms = 999
  expect(await get('a')).toBe('a0')
  clock.now_ms = 1_000
  expect(await get('a')).toBe('a1')
  expect(lookups).toEqual(['a', 'a'])
})

test('concurrent callers share one lookup', async () => {
  const { lookups, get } = openCache()
  expect(await Promise.all([get('a'), get('a'), get('a')])).toEqual(['a0', 'a0', 'a0'])
  expect(lookups).toEqual(['a'])
})

test('a failed lookup is not cached, and each of its callers gets the error', async () => {
  const { cache, get } = openCache()
  const failLookup = () => Promise.reject(new Error('away'))
  const callers = await Promise.allSettled([cache.get('a', failLookup), cache.get('a', failLookup)])
  expect(callers.map((caller) => caller.status)).toEqual(['rejected', 'rejected'])
  expect(await get('a')).toBe('a0')
})

test('a full cache evicts the least recently used entry', async () => {
  const { lookups, get } = openCache({ max: 2 })
  for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await get(key)
  expect(lookups).toEqual(['a', 'b', 'c', 'b'])
})

test('a failed lookup does not remove a newer one of the same key', async () => {
  const { caches, cache, lookups, get } = openCache()
  let fail = (_: Error) => {}
  const earlyCaller = cache.get('a', () => new Promise<string>((_, reject) => (fail = reject)))
  caches.clear()
  await get('a', 'newer')
  fail(new Error('away'))
  await expect(earlyCaller).rejects.toThrow('away')
  expect(await get('a', 'again')).toBe('newer')
  expect(lookups).toEqual(['a'])
})

test('the time to live may depend on the value', async () => {
  const clock = { now_ms: 0, now: () => clock.now_ms }
  const cache = createCaches(clock).open<string, number>((value) => value)
  let lookups = 0
  const get = (key: string, ttl: number) =>
    cache.get(key, async () => {
      lookups++
      return ttl
    })
  await get('short', 10)
  await get('long', 100)
  clock.now_ms = 50
  await get('short', 10)
  await get('long', 100)
  expect(lookups).toBe(3)
})

test('after clear, all caches look up again', async () => {
  const { caches, lookups, get } = openCache()
  const otherCache = caches.open<string, number>(1_000)
  let otherLookups = 0
  await get('a')
  await otherCache.get('x', async () => ++otherLookups)
  caches.clear()
  expect(await get('a')).toBe('a1')
  expect(await otherCache.get('x', async () => ++otherLookups)).toBe(2)
  expect(lookups).toEqual(['a', 'a'])
})

test('a lookup that was running when the caches were cleared is not cached', async () => {
  const { caches, cache, get } = openCache()
  let resolveLookup = (_: string) => {}
  const earlyCaller = cache.get(
    'a',
    () => new Promise<string>((resolve) => (resolveLookup = resolve)),
  )
  caches.clear()
  resolveLookup('stale')
  expect(await earlyCaller).toBe('stale')
  expect(await get('a', 'fresh')).toBe('fresh')
})
