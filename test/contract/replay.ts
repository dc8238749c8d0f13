import { expect } from 'vitest'
import type { Answer } from '../harness.ts'

/** Options of a call with this idempotency key. */
export const keyed = (key: string) => ({ headers: { 'idempotency-key': key } })

/** The parts of an answer that a replay repeats byte for byte. */
export const onTheWire = ({ status, text, headers }: Answer) => ({
  status,
  text,
  type: headers['content-type'],
})

export function expectReplay(repeat: Answer, first: Answer) {
  expect(onTheWire(repeat)).toEqual(onTheWire(first))
  expect(repeat.headers['idempotency-replayed']).toBe('true')
  expect(first.headers['idempotency-replayed']).toBeUndefined()
  expect(repeat.headers['x-request-id']).not.toBe(first.headers['x-request-id'])
}
