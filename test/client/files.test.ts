import { openAsBlob } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { contentOf, type Operation } from '../../sdk/client/request.ts'
import { type Line, transport } from '../../sdk/client/transport.ts'
import { type FaultyLine, openProxy } from './proxy.ts'

let far: FaultyLine
let line: Line

beforeEach(async () => {
  far = await openProxy('http://127.0.0.1:9')
  line = { url: far.url, headers: {}, timeout_ms: 10_000, retries: 2, debug: undefined, fetch }
})
afterEach(() => far.close())

const UPLOAD: Operation = { method: 'POST', path: '/files', takes: 'body' }
const EXPORT: Operation = { method: 'GET', path: '/export', raw: true }

/** The form as a server parses it. */
const formOf = (n: number): Promise<FormData> => {
  const one = far.seen[n]
  if (!one) throw new Error('That call did not come.')
  const headers = { 'content-type': one.headers['content-type'] ?? '' }
  return new Response(new Uint8Array(one.body), { headers }).formData()
}

const upload = (body: Record<string, unknown>) =>
  transport(
    line,
    {
      name: 'files.add',
      operation: UPLOAD,
      url: `${line.url}/files`,
      content: contentOf(body),
    },
    {},
  ).then(({ data }) => data)

test('a file is sent as a form, and a repeat has the same bytes', async () => {
  far.plan('lost on the way', { status: 200, body: '{"success":true,"id":7}' })
  const file = new File(['GIF89a'], 'a "new" file.gif', { type: 'image/gif' })
  const fields = { title: 'Ünited', is_main: true, position: 0, note: null, alt: undefined }
  await expect(upload({ file, ...fields })).resolves.toEqual({ id: 7 })

  const [first, second] = far.seen
  expect(second?.body.equals(first?.body ?? Buffer.alloc(0))).toBe(true)
  expect(second?.headers['content-type']).toBe(first?.headers['content-type'])
  expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key'])

  const form = await formOf(1)
  const received = form.get('file') as File
  expect(await received.text()).toBe('GIF89a')
  expect(received.type).toBe('image/gif')
  expect(received.name).toBe('a "new" file.gif')
  form.delete('file')
  expect(Object.fromEntries(form)).toEqual({ title: 'Ünited', is_main: 'true', position: '0' })
})

test.each(['./editor.zip', Buffer.from('bytes'), null])(
  'a file that is %j is refused, with the accepted kinds',
  (file) => {
    expect(() => contentOf({ file })).toThrow('await openAsBlob(path)')
  },
)

test('a file of the disk goes without a name and a type, and whole', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tradepost-client-'))
  const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, n) => n % 256))
  await writeFile(join(folder, 'data.bin'), bytes)
  far.plan({ status: 200, body: '{"success":true}' })
  await upload({ file: await openAsBlob(join(folder, 'data.bin')) })
  const received = (await formOf(0)).get('file') as File
  expect(received.name).toBe('file')
  expect(Buffer.from(await received.arrayBuffer()).equals(bytes)).toBe(true)
  await rm(folder, { recursive: true })
})

test('a download is the answer itself, unread; a refusal of it is thrown', async () => {
  const sent = {
    name: 'orders.export',
    operation: EXPORT,
    url: `${line.url}/export`,
    content: undefined,
  }
  const headers = { 'content-type': 'text/csv' }
  far.plan({ status: 200, body: 'id,name\n', headers })
  const response = (await transport(line, sent, {})).data as Response
  expect(response.bodyUsed).toBe(false)
  expect(await response.text()).toBe('id,name\n')

  far.plan({ status: 404, body: '{"success":false,"code":"NOT_FOUND","error":"Gone."}' })
  await expect(transport(line, sent, {})).rejects.toMatchObject({ code: 'NOT_FOUND' })
})
