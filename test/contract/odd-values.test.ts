import { expect, test } from 'vitest'
import { z } from 'zod'
import { clientEndpoints } from '../../src/features/licensing/sessions/endpoints.ts'
import { describeIssue } from '../../src/http/describe-issue.ts'
import { dashboardEndpoints } from '../../src/surfaces/dashboard/dashboard-api.ts'
import { securityEndpoints } from '../../src/surfaces/security-api.ts'
import { storeEndpoints } from '../../src/surfaces/store-api.ts'
import { shapesWithin } from './shapes-within.ts'

/** JSON whose properties have the names of methods that JavaScript calls to convert or to serialize a value. */
const ODD_VALUES: unknown[] = [
  '{"toString":"x"}',
  '{"toString":null,"valueOf":null}',
  '{"toJSON":"x","then":"x"}',
  '{"constructor":null,"__proto__":null,"hasOwnProperty":1}',
  '{"length":1}',
  '[{"toString":"x"}]',
].map((text) => JSON.parse(text))

test('no field of a body fails over an object with the name of a method (decision 120)', () => {
  const endpoints = [
    ...storeEndpoints,
    ...securityEndpoints,
    ...clientEndpoints,
    ...dashboardEndpoints,
  ]
  let fieldCount = 0
  const faults = endpoints.flatMap(({ id, body }) =>
    body ? [...shapesWithin(body)].flatMap((shape) => faultsOf(id, shape)) : [],
  )
  expect(faults).toEqual([])
  expect(fieldCount).toBeGreaterThan(300)

  function faultsOf(id: string, shape: z.core.$ZodType): string[] {
    if (!(shape instanceof z.ZodObject)) return []
    return Object.entries(shape.shape as Record<string, z.ZodType>).flatMap(([name, field]) => {
      fieldCount++
      return ODD_VALUES.flatMap((value) => {
        try {
          // The messages are written when they are read.
          JSON.stringify(field.safeParse(value, { error: describeIssue }).error?.issues)
          return []
        } catch (error) {
          return `${id}: ${name} of ${JSON.stringify(value)}: ${error}`
        }
      })
    })
  }
})
