import { expect, test } from 'vitest'
import { knownPaths, methodsOfPatterns } from './known-paths.rules.ts'

const paths = knownPaths('/stores/:hash/v1', [
  { method: 'GET', path: '/products/:id' },
  { method: 'DELETE', path: '/products/:id' },
  { method: 'POST', path: '/products/reorder' },
  { method: 'GET', path: '/products/:id/stock.csv' },
])
const find = (url: string) => paths.find(({ pattern }) => pattern.test(url))

test('a path is known with any values of its parameters, and allows HEAD if it allows GET', () => {
  expect(find('/stores/s1/v1/products/p1')).toMatchObject({
    path: '/products/:id',
    methods: ['GET', 'HEAD', 'DELETE'],
  })
  expect(find('/stores/s1/v1/products/p1/stock.csv')?.methods).toEqual(['GET', 'HEAD'])
})

test.each([
  '/stores/s1/v1/products',
  '/stores/s1/v1/products/',
  '/stores/s1/v1/products/p1/',
  '/stores/s1/v1/products/p1/stockxcsv',
  '/stores/s1/v2/products/p1',
])('the path %s is unknown', (url) => {
  expect(find(url)).toBeUndefined()
})

test('a literal path segment has precedence over a parameter', () => {
  expect(find('/stores/s1/v1/products/reorder')?.methods).toEqual(['POST'])
  const full = '/stores/:hash/v1/products/reorder'
  expect(methodsOfPatterns(paths, full).sort()).toEqual(['DELETE', 'GET', 'HEAD', 'POST'])
})
