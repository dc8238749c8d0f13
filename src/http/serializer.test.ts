import { expect, test } from 'vitest'
import { z } from 'zod'
import { compileSerializer } from './serializer.ts'

const write = compileSerializer(
  z.object({
    record: z
      .object({
        id: z.int(),
        object: z.literal('record'),
        name: z.string(),
        note: z.string().nullable(),
        live: z.boolean(),
        rate: z.number().nullable(),
        tags: z.array(z.string()),
        owner: z.object({ id: z.int() }).nullable(),
        metadata: z.record(z.string(), z.string()),
      })
      .meta({ id: 'SerializerTestRecord' }),
  }),
)

const record = {
  id: 9_007_199_254_740_991,
  object: 'record',
  name: 'A "quoted"\n\u2028 näme 😀',
  note: null,
  live: false,
  rate: null,
  tags: [],
  owner: null,
  metadata: { any: 'value', '': '"' },
}

test('an answer parses to the original value', () => {
  const answer = { success: true, record }
  expect(JSON.parse(write(answer))).toEqual(answer)
})

test('a nullable field without a value is written as null', () => {
  const text = write({ success: true, record })
  for (const name of ['note', 'rate', 'owner']) expect(text).toContain(`"${name}":null`)
})

test('a nullable field is written with its value', () => {
  const answer = { success: true, record: { ...record, note: '', rate: 0.5, owner: { id: 3 } } }
  expect(JSON.parse(write(answer))).toEqual(answer)
})

test('fields that are not in the shape are dropped at any depth', () => {
  const text = write({
    success: true,
    secret: 'a',
    record: { ...record, secret: 'b', owner: { id: 3, secret: 'c' } },
  })
  expect(text).not.toContain('secret')
})

test('fields with names of keywords are written', () => {
  const writeRules = compileSerializer(
    z.object({
      rules: z.object({ enum: z.array(z.unknown()), const: z.int(), anyOf: z.string() }),
    }),
  )
  const answer = { success: true, rules: { enum: [true, 'a', { b: 1 }], const: 1, anyOf: 'c' } }
  expect(JSON.parse(writeRules(answer))).toEqual(answer)
})
