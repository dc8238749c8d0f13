import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTradepost, type Tradepost } from '../harness.ts'

// Allowed addresses of a key, and trusted proxies (decision 33).

interface Connection {
  remoteAddress: string
  forwarded?: string
}

/** Returns a function that calls with a new key, and returns `allowed` or the refusal. */
function callerOf(getTradepost: () => Tradepost) {
  return async (
    allowed_ips: string[],
    { remoteAddress, forwarded }: Connection,
  ): Promise<string> => {
    const { id, api_key = '' } = await getTradepost().key({ allowed_ips })
    const answer = await getTradepost().server.inject({
      method: 'GET',
      url: '/v1/account',
      remoteAddress,
      headers: {
        'x-api-key': api_key,
        'x-store-hash': id,
        ...(forwarded !== undefined && { 'x-forwarded-for': forwarded }),
      },
    })
    return answer.statusCode === 200 ? 'allowed' : `${answer.statusCode} ${answer.json().code}`
  }
}

const REFUSED = '403 IP_NOT_ALLOWED'

describe('a key with allowed addresses', () => {
  let tradepost: Tradepost
  const callFrom = callerOf(() => tradepost)

  beforeAll(async () => {
    tradepost = await openTradepost()
  })
  afterAll(() => tradepost.close())

  test.each([
    [[], '203.0.113.7'],
    [['203.0.113.7'], '203.0.113.7'],
    [['203.0.113.7'], '::ffff:203.0.113.7'],
    [['203.0.113.7'], '::ffff:cb00:7107'],
    [['203.0.113.0/24'], '203.0.113.255'],
    [['203.0.113.0/24'], '::ffff:203.0.113.9'],
    [['::ffff:203.0.113.7'], '203.0.113.7'],
    [['203.0.113.7/32'], '203.0.113.7'],
    [['0.0.0.0/0'], '8.8.8.8'],
    [['2001:db8::1'], '2001:db8:0:0:0:0:0:1'],
    [['2001:DB8::/32'], '2001:db8:ffff::2'],
    [['10.0.0.1', '2001:db8::/32'], '2001:db8::5'],
    [['::1'], '::1'],
  ])('with %j is accepted from %s', async (allowed, remoteAddress) => {
    expect(await callFrom(allowed, { remoteAddress })).toBe('allowed')
  })

  test.each([
    [['203.0.113.7'], '203.0.113.8'],
    [['203.0.113.0/25'], '203.0.113.128'],
    [['203.0.113.7'], '::ffff:203.0.113.8'],
    [['203.0.113.7'], '2001:db8::7'],
    [['2001:db8::/32'], '2001:db9::1'],
    [['2001:db8::/32'], '203.0.113.7'],
    [['::1'], '127.0.0.1'],
  ])('with %j is refused from %s', async (allowed, remoteAddress) => {
    expect(await callFrom(allowed, { remoteAddress })).toBe(REFUSED)
  })

  test('is checked against the address of the connection, not X-Forwarded-For, if no proxy is trusted', async () => {
    const from = { remoteAddress: '198.51.100.1', forwarded: '203.0.113.7' }
    expect(await callFrom(['203.0.113.7'], from)).toBe(REFUSED)
    expect(await callFrom(['198.51.100.1'], from)).toBe('allowed')
  })
})

describe('behind trusted proxies', () => {
  let tradepost: Tradepost
  const callFrom = callerOf(() => tradepost)

  beforeAll(async () => {
    tradepost = await openTradepost({
      env: { TRADEPOST_TRUSTED_PROXIES: '10.0.0.0/8,192.168.1.1,fd00::/8' },
    })
  })
  afterAll(() => tradepost.close())

  test.each([
    ['10.0.0.1', '203.0.113.7'],
    ['::ffff:10.0.0.1', '203.0.113.7'],
    ['192.168.1.1', '203.0.113.7'],
    ['fd00::1', '203.0.113.7'],
    ['10.0.0.1', '203.0.113.7, 10.0.0.2'],
    ['10.0.0.1', '8.8.8.8, 203.0.113.7'],
    ['10.0.0.1', '8.8.8.8,203.0.113.7 , 192.168.1.1,10.1.1.1'],
    ['10.0.0.1', 'unknown, 203.0.113.7'],
    ['10.0.0.1', '203.0.113.7:5678'],
    ['10.0.0.1', '8.8.8.8:1, 203.0.113.7:5678, 10.0.0.2:443, [fd00::2]:443'],
    ['10.0.0.1', '8.8.8.8, [::ffff:203.0.113.7]:443'],
  ])(
    'a call from the trusted %s with the header "%s" is from 203.0.113.7, the right-most untrusted address',
    async (remoteAddress, forwarded) => {
      expect(await callFrom(['203.0.113.7'], { remoteAddress, forwarded })).toBe('allowed')
      expect(await callFrom(['8.8.8.8'], { remoteAddress, forwarded })).toBe(REFUSED)
    },
  )

  test.each([
    ['192.168.1.2', '203.0.113.7'],
    ['203.0.113.9', '203.0.113.7'],
    ['10.0.0.1', '203.0.113.7, 198.51.100.1'],
    ['10.0.0.1', ''],
    ['10.0.0.1', 'nonsense'],
    ['10.0.0.1', '203.0.113.7, nonsense'],
    ['10.0.0.1', '203.0.113.7:nonsense'],
  ])(
    'a call from %s with the header "%s" is not from 203.0.113.7',
    async (remoteAddress, forwarded) => {
      expect(await callFrom(['203.0.113.7'], { remoteAddress, forwarded })).toBe(REFUSED)
    },
  )

  test.each([
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['203.0.113.7, nonsense', '10.0.0.1'],
    ['203.0.113.7, nonsense, 10.0.0.9:80', '10.0.0.9'],
  ])('the caller of "%s" is %s (decision 129)', async (forwarded, caller) => {
    const from = { remoteAddress: '10.0.0.1', forwarded }
    expect(await callFrom([caller], from)).toBe('allowed')
    expect(await callFrom(['203.0.113.7'], from)).toBe(REFUSED)
  })

  test('calls with a wrong key are counted for the address without the port of the proxy (decision 129)', async () => {
    tradepost.stopClock()
    const callWithWrongKey = async (port: number) => {
      const answer = await tradepost.server.inject({
        url: '/v1/account',
        remoteAddress: '10.0.0.1',
        headers: {
          'x-api-key': `sk_live_${'A'.repeat(40)}`,
          'x-store-hash': tradepost.live.id,
          'x-forwarded-for': `198.51.100.77:${port}`,
        },
      })
      return answer.statusCode
    }
    const statuses = await Promise.all(
      Array.from({ length: 1_001 }, (_, n) => callWithWrongKey(1_024 + n)),
    )
    expect(statuses.filter((status) => status === 429)).toHaveLength(1)
  })
})
