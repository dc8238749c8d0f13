import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestDatabase } from '../../../test/database.ts'
import { message, withCopyRefused } from './wire.mjs'

/** The refusal of `copy` is placed between messages, whatever letters a statement has. */

let database: Awaited<ReturnType<typeof openTestDatabase>>

beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

/** The letters of the messages, in their sequence. Throws if a length is wrong. */
function lettersOf(bytes: Buffer): string {
  let letters = ''
  let start = 0
  while (start < bytes.length) {
    letters += String.fromCharCode(bytes[start] ?? 0)
    start += 1 + bytes.readInt32BE(start + 1)
  }
  expect(start).toBe(bytes.length)
  return letters
}

/** Texts with an `S`, the letter of Sync, at each of their last places. */
const TEXTS = ['S', 'Sa', 'Sab', 'Sabc', 'Sabcd', 'SSSSS'].map((letters) => `select '${letters}'`)

describe.each(TEXTS)('the statement %s', (text) => {
  test('without parameters is sent whole, and the refusal follows it', () => {
    const query = message('Q', `${text}\0`)
    const unit = withCopyRefused(query)
    expect(lettersOf(unit)).toBe('Qf')
    expect(unit.subarray(0, query.length)).toEqual(query)
  })

  test('with parameters is sent whole, and the refusal precedes its Sync', () => {
    const parse = message('P', `\0${text}\0\0\0`)
    expect(lettersOf(withCopyRefused(Buffer.concat([parse, message('S', '')])))).toBe('PfS')
    expect(lettersOf(withCopyRefused(Buffer.concat([parse, message('Q', `${text}\0`)])))).toBe(
      'PQf',
    )
  })

  test('is answered', async () => {
    const { rows } = await sql.raw<Record<string, string>>(text).execute(database.db)
    expect(rows.flatMap(Object.values)).toEqual([text.slice("select '".length, -1)])
  })
})
