import { expect, test } from 'vitest'
import { PERMISSIONS } from '../../src/kernel/permissions.ts'
import { storeEndpoints } from '../../src/surfaces/store-api.ts'

test('every area of the permissions has an endpoint, and every area of the endpoints has a permission (decision 125)', () => {
  const areaOf = (permission: string) => permission.split(':')[0]
  const areasOfEndpoints = new Set(storeEndpoints.map((endpoint) => areaOf(endpoint.permission)))
  expect(new Set(PERMISSIONS.map(areaOf))).toEqual(areasOfEndpoints)
})
