import { expect, test } from 'vitest'
import { z } from 'zod'
import { mayPersist } from '../../dashboard/src/api/may-persist.ts'
import { mask } from '../../src/features/installation/request-log/mask.rules.ts'
import { dashboardEndpoints } from '../../src/surfaces/dashboard/dashboard-api.ts'
import { needsStepUp } from '../../src/surfaces/dashboard/step-up.rules.ts'
import { securityEndpoints } from '../../src/surfaces/security-api.ts'
import { storeEndpoints } from '../../src/surfaces/store-api.ts'

// The changes that the dashboard may store in the browser while they wait for the server (decision 377).

const changes = [...storeEndpoints, ...securityEndpoints, ...dashboardEndpoints].filter(
  ({ method }) => method !== 'GET',
)

/** The names of all fields within a shape. */
function fieldsWithin(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { properties = {} } = schema as { properties?: object }
  return [...Object.keys(properties), ...Object.values(schema).flatMap(fieldsWithin)]
}

test('the dashboard stores no waiting change that needs a password', () => {
  const guarded = changes.filter((endpoint) => needsStepUp(endpoint))
  expect(guarded.length).toBeGreaterThan(10)
  expect(guarded.filter(({ path }) => mayPersist(path, undefined)).map(({ id }) => id)).toEqual([])
})

test('the dashboard stores no waiting change whose answer has a secret', () => {
  const answersOf = ({ response }: { response: z.ZodObject }) =>
    fieldsWithin(z.toJSONSchema(response, { io: 'output', unrepresentable: 'any' }))
  const revealing = changes.filter((endpoint) => answersOf(endpoint).includes('secret'))
  expect(revealing.length).toBeGreaterThan(2)
  expect(revealing.filter(({ path }) => mayPersist(path, undefined)).map(({ id }) => id)).toEqual(
    [],
  )
})

test('the dashboard stores no waiting change with a field that the request log masks', () => {
  const stored: string[] = []
  let maskedCount = 0
  for (const { id, body } of changes) {
    if (!body) continue
    const fields = fieldsWithin(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }))
    const masked = fields.filter((name) => mask({ [name]: 'x' }).changed)
    maskedCount += masked.length
    stored.push(
      ...masked
        .filter((name) => mayPersist('/', JSON.stringify({ [name]: 'x' })))
        .map((name) => `${id}: ${name}`),
    )
  }
  expect(maskedCount).toBeGreaterThan(20)
  expect(stored).toEqual([])
})

test('the dashboard stores an ordinary waiting change, and none with a long body', () => {
  expect(mayPersist('/v1/orders/ord_1', '{"note":"Later"}')).toBe(true)
  expect(mayPersist('/v1/orders/ord_1', JSON.stringify({ note: 'a'.repeat(30_000) }))).toBe(false)
})
