import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { startDnsServer, type Zone } from './dns-server.fixture.ts'
import { createResolver } from './resolver.ts'

const BLOCKED = { error_code: 'blocked_address', why: expect.any(String) }
const UNKNOWN = { error_code: 'dns_error', why: expect.any(String) }
const endings: (() => unknown)[] = []
afterEach(async () => {
  for (const end of endings.splice(0)) await end()
})

async function resolverOver(zone: Zone, allowed: string[] = [], hosts = '') {
  const server = await startDnsServer(zone)
  const hosts_file = join(mkdtempSync(join(tmpdir(), 'hosts-')), 'hosts')
  writeFileSync(hosts_file, hosts)
  const clock = { at: 1_000_000, now: () => clock.at }
  const allowedHosts = new Set(allowed)
  const resolver = createResolver({ allowedHosts, servers: server.servers, hosts_file, clock })
  endings.push(() => resolver.close(), server.close)
  return { resolver, clock, questions: server.questions, hosts_file }
}

test('all addresses of both families are found', async () => {
  const { resolver } = await resolverOver((_, type) =>
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
  const { resolver } = await resolverOver((name, type) => {
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
  const { resolver } = await resolverOver((_, type) =>
    type === 'A' ? [...Array(12).keys()].map((n) => ({ type, data: `8.8.8.${n}` })) : [],
  )
  const addresses = [...Array(8).keys()].map((n) => `8.8.8.${n}`)
  expect(await resolver.resolve('many.test')).toEqual({ addresses })
})

test('a forbidden address after the first eight refuses the name too', async () => {
  const { resolver } = await resolverOver((_, type) =>
    type === 'A'
      ? [...Array(12).keys()].map((n) => ({ type, data: n === 11 ? '127.0.0.1' : `8.8.8.${n}` }))
      : [],
  )
  expect(await resolver.resolve('many.test')).toEqual(BLOCKED)
})

test('NAT64 and mapped addresses are vetted by their IPv4 address', async () => {
  const { resolver } = await resolverOver((name, type) =>
    type === 'A'
      ? []
      : [{ type: 'AAAA', data: name === 'in.test' ? '64:ff9b::a9fe:a9fe' : '64:ff9b::808:808' }],
  )
  expect(await resolver.resolve('in.test')).toEqual(BLOCKED)
  expect(await resolver.resolve('out.test')).toEqual({ addresses: ['64:ff9b::808:808'] })
})

test('a chain of CNAMEs is vetted by its final address', async () => {
  const { resolver } = await resolverOver((name, type) => [
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
  const { resolver, clock, questions } = await resolverOver((_, type, nth) =>
    type === 'A' ? [{ type, ttl: 0, data: nth === 1 ? '8.8.8.8' : '127.0.0.1' }] : [],
  )
  expect(await resolver.resolve('turn.test')).toEqual({ addresses: ['8.8.8.8'] })
  clock.at += 4_999
  expect(await resolver.resolve('turn.test')).toEqual({ addresses: ['8.8.8.8'] })
  expect(questions.get('turn.test A')).toBe(1)
  clock.at += 1
  expect(await resolver.resolve('turn.test')).toEqual(BLOCKED)
})

test('an answer is cached for at most a minute, and concurrent callers share one query', async () => {
  const { resolver, clock, questions } = await resolverOver((_, type) =>
    type === 'A' ? [{ type, ttl: 86_400, data: '8.8.8.8' }] : [],
  )
  await Promise.all(Array.from({ length: 20 }, () => resolver.resolve('long.test')))
  expect(questions.get('long.test A')).toBe(1)
  clock.at += 60_000
  await resolver.resolve('long.test')
  expect(questions.get('long.test A')).toBe(2)
})

test('a name error is a dns_error, cached for five seconds', async () => {
  const { resolver, clock, questions } = await resolverOver(() => 'name_error')
  expect(await resolver.resolve('none.test')).toEqual(UNKNOWN)
  expect(await resolver.resolve('none.test')).toEqual(UNKNOWN)
  clock.at += 4_999
  expect(await resolver.resolve('none.test')).toEqual(UNKNOWN)
  expect(questions.get('none.test A')).toBe(1)
  clock.at += 1
  expect(await resolver.resolve('none.test')).toEqual(UNKNOWN)
  expect(questions.get('none.test A')).toBe(2)
})

test('localhost and the hosts file come first, and are vetted too', async () => {
  const hosts =
    '127.0.0.1 localhost\n# 8.8.8.8 no\n10.0.0.9 inner.test Alias.test # a\n8.8.8.8 out.test\n'
  const { resolver, questions } = await resolverOver(() => 'name_error', ['localhost'], hosts)
  expect(await resolver.resolve('localhost')).toEqual({ addresses: ['127.0.0.1', '::1'] })
  expect(await resolver.resolve('a.localhost')).toEqual(BLOCKED)
  expect(await resolver.resolve('inner.test')).toEqual(BLOCKED)
  expect(await resolver.resolve('alias.test')).toEqual(BLOCKED)
  expect(await resolver.resolve('out.test')).toEqual({ addresses: ['8.8.8.8'] })
  expect(questions.size).toBe(0)
})

test('the hosts file is read again after a minute', async () => {
  const { resolver, clock, hosts_file } = await resolverOver(
    () => 'name_error',
    [],
    '8.8.8.8 a.test',
  )
  expect(await resolver.resolve('a.test')).toEqual({ addresses: ['8.8.8.8'] })
  writeFileSync(hosts_file, '10.0.0.9 a.test')
  clock.at += 59_999
  expect(await resolver.resolve('a.test')).toEqual({ addresses: ['8.8.8.8'] })
  clock.at += 1
  expect(await resolver.resolve('a.test')).toEqual(BLOCKED)
})

test('a lost query is repeated once', async () => {
  const { resolver } = await resolverOver((_, type, nth) => {
    if (nth === 1) return 'silence'
    return type === 'A' ? [{ type, data: '8.8.8.8' }] : []
  })
  expect(await resolver.resolve('lost.test')).toEqual({ addresses: ['8.8.8.8'] })
})

test('IP literals are vetted without a query; allowed hosts are not vetted', async () => {
  const { resolver, questions } = await resolverOver(
    (_, type) => (type === 'A' ? [{ type, data: '10.0.0.1' }] : []),
    ['127.0.0.1', 'inner.test'],
  )
  expect(await resolver.resolve('127.0.0.2')).toEqual(BLOCKED)
  expect(await resolver.resolve('::ffff:7f00:1')).toEqual(BLOCKED)
  expect(await resolver.resolve('127.0.0.1')).toEqual({ addresses: ['127.0.0.1'] })
  expect(questions.size).toBe(0)
  expect(await resolver.resolve('inner.test')).toEqual({ addresses: ['10.0.0.1'] })
})
