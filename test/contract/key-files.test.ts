import { expect, test } from 'vitest'
import { readKeyFile } from '../../dashboard/src/pages/catalogue/key-file.ts'
import { product } from '../build.ts'
import { expectSuccess, openTradepost } from '../harness.ts'

// The dashboard reads files of keys in the browser and sends the keys (decision 181).

const read = (content: string | Uint8Array, name = 'keys.txt', type = '') =>
  readKeyFile({ name, type, bytes: typeof content === 'string' ? Buffer.from(content) : content })
const utf16 = (text: string, isBigEndian = false) => {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le')
  return isBigEndian ? bytes.swap16() : bytes
}

test.each([
  ['UTF-8', Buffer.from('Grüße-1\nB')],
  ['UTF-8 with a byte order mark', Buffer.from('\ufeffGrüße-1\nB')],
  ['UTF-16', utf16('Grüße-1\nB')],
  ['UTF-16 with the other byte order', utf16('Grüße-1\nB', true)],
])('a file in %s is read', (_encoding, bytes) => {
  expect(read(bytes)).toEqual({ text: 'Grüße-1\nB' })
})

test.each([
  ['Latin-1', Buffer.from('A\nB\nGrüße', 'latin1'), 3],
  ['a character that is cut off at the end of a line', Buffer.from([0x41, 10, 0xc3, 10, 0x42]), 2],
  ['a character that is cut off at the end', Buffer.from([0x41, 10, 0xe2, 0x82]), 2],
  ['half a character of UTF-16', utf16('A\nB\ud800C'), 2],
  ['half a unit of UTF-16', Buffer.concat([utf16('A\nB'), Buffer.from([0x41])]), 2],
])('a file with %s is refused, and the line is named', (_description, bytes, line) => {
  expect(read(bytes)).toEqual({ line, problem: 'encoding' })
})

test.each([
  ['the column named key', 'note,Key\r\nx,A-1\r\n"y, z",B-2\r\n', 'A-1\nB-2\n'],
  ['the first column if none is named key', 'A-1,x\nB-2,y', 'A-1\nB-2'],
  ['a quoted key', 'key\n"A,""1"""\nB', 'A,"1"\nB'],
  ['the column named key between semicolons', 'note;key\nx;A-1', 'A-1'],
  ['the column named key between tabs', 'note\tkey\nx\tA-1', 'A-1'],
  ['a key with a semicolon if there is no header', 'A;1\nB;2', 'A;1\nB;2'],
  ['no key from a row without that column', 'note,key\nx\ny,B', '\nB'],
])('a CSV file gives %s', (_description, content, text) => {
  expect(read(content, 'Keys.CSV')).toEqual({ text })
  expect(read(content, 'keys', 'text/csv; charset=utf-8')).toEqual({ text })
})

test('a file with another name is one key per line, also with commas', () => {
  expect(read('key\nA,1', 'keys.txt', 'text/plain')).toEqual({ text: 'key\nA,1' })
})

test.each([
  ['an open quotation mark', 'key\nA\n"B', { line: 3, problem: 'quotes' }],
  ['a line break in a key', 'key\nA\n"B\nC"', { line: 3, problem: 'line_break' }],
])('a CSV file with %s is refused, and the line is named', (_description, content, refusal) => {
  expect(read(content, 'keys.csv')).toEqual(refusal)
})

test('the file that the store exports gives the keys that it was made of', async () => {
  const tradepost = await openTradepost()
  const keys = ['=SUM(1)', '@at', '-5', 'A,"1"', 'plain', "'=quoted", '﹣wide']
  const { id, variantId } = await product(tradepost, {}, { keys })
  const { export: file } = await expectSuccess(
    tradepost.get(`/products/${id}/variants/${variantId}/keys/export`),
  )
  const { pathname, search } = new URL(file.url)
  const { payload } = await tradepost.server.inject({ url: pathname + search })
  expect(read(payload, 'stock-keys.csv')).toEqual({ text: [...keys, ''].join('\n') })
  await tradepost.close()
})
