import { expect } from 'vitest'
import type { Json } from '../harness.ts'
import { postUntilAnswered } from '../process/client.ts'
import type { ServedStore } from './open-served-database.ts'

let keyCount = 0

/** Makes a POST with a new idempotency key until it is answered. Fails unless it succeeds. */
export async function postSuccessfully(
  store: ServedStore,
  path: string,
  body: Json,
): Promise<Json> {
  const key = `success-${++keyCount}`
  const { status, json, text } = await postUntilAnswered(store.targets[0], path, body, key)
  expect(status, text).toBeLessThan(300)
  return json
}
