import { describe, expect, test } from 'vitest'
import { hasDotSegment, rebuildTarget } from './call-path.rules.ts'

describe('a dot segment', () => {
  test.each([
    '/v1/../orders',
    '/v1/./orders',
    '/v1/orders/..',
    '/v1/orders/.',
    '/v1/%2e%2e/orders',
    '/v1/%2E./orders',
    '/v1/.%2e?page=1',
    '/v1/..\\orders',
    '..',
  ])('is found in %s', (target) => {
    expect(hasDotSegment(target)).toBe(true)
  })

  test.each([
    '/v1/orders',
    '/v1/...',
    '/v1/.well-known',
    '/v1/a..b',
    '/v1/report.csv',
    '/v1/%252e%252e/orders',
    '/v1/orders?search=../..',
    '/docs#/../x',
  ])('is not found in %s', (target) => {
    expect(hasDotSegment(target)).toBe(false)
  })
})

describe('the target of a call', () => {
  test('is built from the path of its endpoint, its parameters and its query', () => {
    expect(rebuildTarget('/v1/orders', '/v1/orders')).toBe('/v1/orders')
    expect(rebuildTarget('/v1/orders/:id', '/v1/orders/ord_1?a=b%26c&d')).toBe(
      '/v1/orders/ord_1?a=b%26c&d=',
    )
    expect(rebuildTarget('/v1/strings/:name', '/v1/strings/a%2Fb%3Fc')).toBe(
      '/v1/strings/a%2Fb%3Fc',
    )
  })

  test.each([
    ['/v1/orders/:id', '/v1/orders'],
    ['/v1/orders/:id', '/v1/orders/'],
    ['/v1/orders/:id', '/v1/orders/1/2'],
    ['/v1/orders/:id', '/v1/coupons/1'],
    ['/v1/orders/:id', '/v1/orders/..'],
    ['/v1/orders/:id', '/v1/orders/%2e%2e'],
    ['/v1/orders/:id/refund', '/v1/../../abc/v1/orders/1/refund'],
    ['/v1/orders/:id', '/v1/orders/%zz'],
  ])('of %s is not %s', (endpointPath, target) => {
    expect(rebuildTarget(endpointPath, target)).toBeUndefined()
  })
})
