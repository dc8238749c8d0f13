import { expect, test } from 'vitest'
import { PERMISSIONS } from '../../src/kernel/permissions.ts'
import { storeEndpoints } from '../../src/surfaces/store-api.ts'

test('permissions are listed of areas that exist, and of no others (decision 125)', () => {
  const areaOf = (permission: string) => permission.split(':')[0]
  const existing = new Set(storeEndpoints.map((e) => areaOf(e.permission)))
  expect(new Set(PERMISSIONS.map(areaOf))).toEqual(existing)
})
