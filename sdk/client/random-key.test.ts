import { expect, test } from 'vitest'
import { randomKey } from './random-key.ts'

test('a key is a UUID of version 4, and no two keys are equal', () => {
  const keys = Array.from({ length: 1_000 }, randomKey)
  for (const key of keys) {
    expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  }
  expect(new Set(keys).size).toBe(1_000)
})
