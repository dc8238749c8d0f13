import { expect } from 'vitest'
import type { Answer } from '../harness.ts'

/** Returns the options of a call with an idempotency key. */
export const keyed = (key: string) => ({ headers: { 'idempotency-key': key } })

/** Returns the parts of an answer that a replay repeats byte for byte. */
export const replayedParts = ({ status, text, headers }: Answer) => ({
  status,
  text,
  type: headers['content-type'],
})

export function expectReplay(repeat: Answer, first: Answer) {
  expect(replayedParts(repeat)).toEqual(replayedParts(first))
  expect(repeat.headers['idempotency-replayed']).toBe('true')
  expect(first.headers['idempotency-replayed']).toBeUndefined()
  expect(repeat.headers['x-request-id']).not.toBe(first.headers['x-request-id'])
}
