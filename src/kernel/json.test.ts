import { describe, expect, test } from 'vitest'
import { Refusal } from './errors.ts'
import { parseJson } from './json.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

function refusalOf(input: string | Uint8Array) {
  try {
    parseJson(typeof input === 'string' ? bytes(input) : input)
  } catch (error) {
    if (error instanceof Refusal) return { code: error.code, field: error.details?.field }
    throw error
  }
  return undefined
}

const nestedLists = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

describe('invalid JSON', () => {
  test.each([
    ['nothing after a colon', '{"a":}'],
    ['a comma at the end', '{"a":1,}'],
    ['single quotes', "{'a':1}"],
    ['a comment', '{"a":1} // yes'],
    ['two values', '{} {}'],
    ['NaN', '{"a":NaN}'],
    ['a bare line break in a text', '{"a":"1\n2"}'],
    ['an open brace', '{"a":1'],
    ['white space alone', '  '],
    ['a key twice', '{"a":1,"a":2}'],
    ['a key twice, once written with an escape', '{"a":1,"\\u0061":2}'],
    ['a key twice with space before the colon', '{"a" : 1, "a"\n: 2}'],
    ['a key twice deep inside', '{"x":[{"y":{"a":1,"b":2,"a":3}}]}'],
    ['the prototype key twice', '{"__proto__":1,"__proto__":2}'],
    ['a byte order mark', '\uFEFF{}'],
    ['33 levels of lists', nestedLists(33)],
    ['33 levels of objects', `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`],
    ['a hundred thousand levels', nestedLists(100_000)],
  ])('%s is INVALID_JSON', (_, text) => {
    expect(refusalOf(text)).toEqual({ code: 'INVALID_JSON', field: undefined })
  })

  test.each([
    ['half a character', [0x22, 0xc3, 0x22]],
    ['an overlong slash', [0x22, 0xc0, 0xaf, 0x22]],
    ['a surrogate in UTF-8', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['UTF-16', [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]],
    ['latin 1', [0x22, 0xe9, 0x22]],
  ])('%s is INVALID_JSON, not a replacement character', (_, byteValues) => {
    expect(refusalOf(Uint8Array.from(byteValues))).toEqual({
      code: 'INVALID_JSON',
      field: undefined,
    })
  })
})

describe('text that the database cannot store', () => {
  test.each([
    ['{"name":"a\\u0000b"}', 'name'],
    ['{"name":"\\ud800"}', 'name'],
    ['{"name":"\\udc00 \\ud800"}', 'name'],
    ['{"items":[{"a":"ok"},{"a":"\\u0000"}]}', 'items[1].a'],
    ['{"metadata":{"a\\u0000":"x"}}', 'metadata'],
    ['{"__proto__":{}}', '__proto__'],
    ['{"a":{"constructor":1}}', 'a.constructor'],
    ['{"a":[{"prototype":1}]}', 'a[0].prototype'],
    ['{"\\u005f_proto__":1}', '__proto__'],
  ])('%s is VALIDATION_FAILED, and the error names the field %s', (text, field) => {
    expect(refusalOf(text)).toEqual({ code: 'VALIDATION_FAILED', field })
  })

  test('a refused key changes no prototype', () => {
    refusalOf('{"__proto__":{"admin":true}}')
    expect(({} as { admin?: boolean }).admin).toBeUndefined()
  })
})

describe('valid JSON', () => {
  test.each([
    ['{}'],
    ['{"a":{"b":1},"c":{"b":2}}'],
    ['[{"a":1},{"a":1}]'],
    ['{"a":"a\\":\\"a"}'],
    ['{"a\\"":1,"a":2,"a\\\\":3}'],
    ['{"text":"{\\"a\\":1,\\"a\\":2}"}'],
    ['{"emoji":"\\ud83d\\ude00 😀"}'],
    [' {"a" : [1, -0.5e3, true, null] } '],
    [nestedLists(32)],
  ])('%s is parsed unchanged', (text) => {
    expect(parseJson(bytes(text))).toEqual(JSON.parse(text))
  })

  test('only the bytes of a view into a larger buffer are read', () => {
    const buffer = Buffer.from('xx{"a":1}yy')
    expect(parseJson(buffer.subarray(2, 9))).toEqual({ a: 1 })
  })
})
