import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { type DnsZone, startDnsServer } from './dns-server.fixture.ts'
import { createResolver } from './resolver.ts'

const BLOCKED = { error_code: 'blocked_address', message: expect.any(String) }
const UNKNOWN = { error_code: 'dns_error', message: expect.any(String) }
const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const end of cleanups.splice(0)) await end()
})

async function openResolver(zone: DnsZone, allowedNames: string[] = [], hosts = '') {
  const dnsServer = await startDnsServer(zone)
  const hosts_file = join(mkdtempSync(join(tmpdir(), 'hosts-')), 'hosts')
  writeFileSync(hosts_file, hosts)
  const clock = { now_ms: 1_000_000, now: () => clock.now_ms }
  const allowedHosts = new Set(allowedNames)
  const resolver = createResolver({ allowedHosts, servers: dnsServer.servers, hosts_file, clock })
  cleanups.push(() => resolver.close(), dnsServer.close)
  return { resolver, clock, queryCounts: dnsServer.questions, hosts_file }
}

test('a name resolves to all its addresses of both families', async () => {
  const { resolver } = await openResolver((_, type) =>
    type === 'A'
      ? [
          { type, data: '8.8.8.8' },
          { type, data: '8.8.4.4' },
        ]
      : [{ type: 'AAAA', data: '2606:4700::1111' }],
  )
  expect(await resolver.resolve('a.test')).toEqual({
    addresses: ['8.8.8.8', '8.8.4.4', '2606:4700::1111'],
  })
})

test('a name with one forbidden address is refused', async () => {
  const { resolver } = await openResolver((name, type) => {
    if (name === 'mixed.test' && type === 'A') {
      return [
        { type, data: '8.8.8.8' },
        { type, data: '10.0.0.1' },
      ]
    }
    if (type === 'A') return [{ type, data: '8.8.8.8' }]
    return name === 'six.test' ? [{ type: 'AAAA', data: '::1' }] : []
  })
  expect(await resolver.resolve('mixed.test')).toEqual(BLOCKED)
  expect(await resolver.resolve('six.test')).toEqual(BLOCKED)
  expect(await resolver.resolve('good.test')).toEqual({ addresses: ['8.8.8.8'] })
})

test('only the first eight addresses are tried', async () => {
  const { resolver } = await openResolver((_, type) =>
    type === 'A' ? [...Array(12).keys()].map((n) => ({ type, data: `8.8.8.${n}` })) : [],
  )
  const addresses = [...Array(8).keys()].map((n) => `8.8.8.${n}`)
  expect(await resolver.resolve('many.test')).toEqual({ addresses })
})

test('a forbidden address after the first eight refuses the name too', async () => {
  const { resolver } = await openResolver((_, type) =>
    type === 'A'
      ? [...Array(12).keys()].map((n) => ({ type, data: n === 11 ? '127.0.0.1' : `8.8.8.${n}` }))
      : [],
  )
  expect(await resolver.resolve('many.test')).toEqual(BLOCKED)
})

test('a NAT64 address is vetted by the IPv4 address that it contains', async () => {
  const { resolver } = await openResolver((name, type) =>
    type === 'A'
      ? []
      : [{ type: 'AAAA', data: name === 'inner.test' ? '64:ff9b::a9fe:a9fe' : '64:ff9b::808:808' }],
  )
  expect(await resolver.resolve('inner.test')).toEqual(BLOCKED)
  expect(await resolver.resolve('out.test')).toEqual({ addresses: ['64:ff9b::808:808'] })
})

test('a chain of CNAMEs is vetted by its final address', async () => {
  const { resolver } = await openResolver((name, type) => [
    { type: 'CNAME', data: 'b.test' },
    { name: 'b.test', type: 'CNAME', data: 'localhost' },
    ...(type === 'A'
      ? [{ name: 'localhost', type, data: name === 'bad.test' ? '127.0.0.1' : '8.8.8.8' } as const]
      : []),
  ])
  expect(await resolver.resolve('bad.test')).toEqual(BLOCKED)
  expect(await resolver.resolve('good.test')).toEqual({ addresses: ['8.8.8.8'] })
})

test('a name that changes to a forbidden address is refused once the cached answer expires', async () => {
  const { resolver, clock, queryCounts } = await openResolver((_, type, nth) =>
    type === 'A' ? [{ type, ttl: 0, data: nth === 1 ? '8.8.8.8' : '127.0.0.1' }] : [],
  )
  expect(await resolver.resolve('turn.test')).toEqual({ addresses: ['8.8.8.8'] })
  clock.now_ms += 4_999
  expect(await resolver.resolve('turn.test')).toEqual({ addresses: ['8.8.8.8'] })
  expect(queryCounts.get('turn.test A')).toBe(1)
  clock.now_ms += 1
  expect(await resolver.resolve('turn.test')).toEqual(BLOCKED)
})

test('an answer is cached for at most a minute, and concurrent callers share one query', async () => {
  const { resolver, clock, queryCounts } = await openResolver((_, type) =>
    type === 'A' ? [{ type, ttl: 86_400, data: '8.8.8.8' }] : [],
  )
  await Promise.all(Array.from({ length: 20 }, () => resolver.resolve('long.test')))
  expect(queryCounts.get('long.test A')).toBe(1)
  clock.now_ms += 60_000
  await resolver.resolve('long.test')
  expect(queryCounts.get('long.test A')).toBe(2)
})

test('an unknown name is refused with dns_error, which is cached for five seconds', async () => {
  const { resolver, clock, queryCounts } = await openResolver(() => 'name_error')
  expect(await resolver.resolve('none.test')).toEqual(UNKNOWN)
  expect(await resolver.resolve('none.test')).toEqual(UNKNOWN)
  clock.now_ms += 4_999
  expect(await resolver.resolve('none.test')).toEqual(UNKNOWN)
  expect(queryCounts.get('none.test A')).toBe(1)
  clock.now_ms += 1
  expect(await resolver.resolve('none.test')).toEqual(UNKNOWN)
  expect(queryCounts.get('none.test A')).toBe(2)
})

test('localhost and the hosts file have precedence, and are vetted too', async () => {
  const hosts =
    '127.0.0.1 localhost\n# 8.8.8.8 no\n10.0.0.9 inner.test Alias.test # a\n8.8.8.8 out.test\n'
  const { resolver, queryCounts } = await openResolver(() => 'name_error', ['localhost'], hosts)
  expect(await resolver.resolve('localhost')).toEqual({ addresses: ['127.0.0.1', '::1'] })
  expect(await resolver.resolve('a.localhost')).toEqual(BLOCKED)
  expect(await resolver.resolve('inner.test')).toEqual(BLOCKED)
  expect(await resolver.resolve('alias.test')).toEqual(BLOCKED)
  expect(await resolver.resolve('out.test')).toEqual({ addresses: ['8.8.8.8'] })
  expect(queryCounts.size).toBe(0)
})

test('the hosts file is read again after a minute', async () => {
  const { resolver, clock, hosts_file } = await openResolver(
    () => 'name_error',
    [],
    '8.8.8.8 a.test',
  )
  expect(await resolver.resolve('a.test')).toEqual({ addresses: ['8.8.8.8'] })
  writeFileSync(hosts_file, '10.0.0.9 a.test')
  clock.now_ms += 59_999
  expect(await resolver.resolve('a.test')).toEqual({ addresses: ['8.8.8.8'] })
  clock.now_ms += 1
  expect(await resolver.resolve('a.test')).toEqual(BLOCKED)
})

test('a lost query is repeated once', async () => {
  const { resolver } = await openResolver((_, type, nth) => {
    if (nth === 1) return 'silence'
    return type === 'A' ? [{ type, data: '8.8.8.8' }] : []
  })
  expect(await resolver.resolve('lost.test')).toEqual({ addresses: ['8.8.8.8'] })
})

test('IP addresses are vetted without a query, and allowed hosts are not vetted', async () => {
  const { resolver, queryCounts } = await openResolver(
    (_, type) => (type === 'A' ? [{ type, data: '10.0.0.1' }] : []),
    ['127.0.0.1', 'inner.test'],
  )
  expect(await resolver.resolve('127.0.0.2')).toEqual(BLOCKED)
  expect(await resolver.resolve('::ffff:7f00:1')).toEqual(BLOCKED)
  expect(await resolver.resolve('127.0.0.1')).toEqual({ addresses: ['127.0.0.1'] })
  expect(queryCounts.size).toBe(0)
  expect(await resolver.resolve('inner.test')).toEqual({ addresses: ['10.0.0.1'] })
})
