import { openAsBlob } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { contentOf, type Operation } from '../../sdk/client/request.ts'
import { type Connection, sendCall } from '../../sdk/client/transport.ts'
import { type FaultyProxy, openProxy } from './proxy.ts'

let proxy: FaultyProxy
let connection: Connection

beforeEach(async () => {
  proxy = await openProxy('http://127.0.0.1:9')
  connection = {
    url: proxy.url,
    headers: {},
    timeout_ms: 10_000,
    retries: 2,
    debug: undefined,
    fetch,
  }
})
afterEach(() => proxy.close())

const UPLOAD: Operation = { method: 'POST', path: '/files', takes: 'body' }
const EXPORT: Operation = { method: 'GET', path: '/export', raw: true }

/** Parses the form of an attempt as a server does. */
const formOfAttempt = (n: number): Promise<FormData> => {
  const attempt = proxy.attempts[n]
  if (!attempt) throw new Error(`There was no attempt ${n}.`)
  const headers = { 'content-type': attempt.headers['content-type'] ?? '' }
  return new Response(new Uint8Array(attempt.body), { headers }).formData()
}

const upload = (body: Record<string, unknown>) =>
  sendCall(
    connection,
    {
      name: 'files.add',
      operation: UPLOAD,
      url: `${connection.url}/files`,
      content: contentOf(body),
    },
    {},
  ).then(({ data }) => data)

test('a file is sent as a form, and a second attempt has the same bytes', async () => {
  proxy.plan('request lost', { status: 200, body: '{"success":true,"id":7}' })
  const file = new File(['GIF89a'], 'a "new" file.gif', { type: 'image/gif' })
  const fields = { title: 'Ünited', is_main: true, position: 0, note: null, alt: undefined }
  await expect(upload({ file, ...fields })).resolves.toEqual({ id: 7 })

  const [first, second] = proxy.attempts
  expect(second?.body.equals(first?.body ?? Buffer.alloc(0))).toBe(true)
  expect(second?.headers['content-type']).toBe(first?.headers['content-type'])
  expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key'])

  const form = await formOfAttempt(1)
  const received = form.get('file') as File
  expect(await received.text()).toBe('GIF89a')
  expect(received.type).toBe('image/gif')
  expect(received.name).toBe('a "new" file.gif')
  form.delete('file')
  expect(Object.fromEntries(form)).toEqual({ title: 'Ünited', is_main: 'true', position: '0' })
})

test.each(['./editor.zip', Buffer.from('bytes'), null])(
  'a file that is %j is refused, and the error names the accepted kinds',
  (file) => {
    expect(() => contentOf({ file })).toThrow('await openAsBlob(path)')
  },
)

test('a file from the disk is sent whole, without its name', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tradepost-client-'))
  const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, n) => n % 256))
  await writeFile(join(folder, 'data.bin'), bytes)
  proxy.plan({ status: 200, body: '{"success":true}' })
  await upload({ file: await openAsBlob(join(folder, 'data.bin')) })
  const received = (await formOfAttempt(0)).get('file') as File
  expect(received.name).toBe('file')
  expect(Buffer.from(await received.arrayBuffer()).equals(bytes)).toBe(true)
  await rm(folder, { recursive: true })
})

test('a download returns an answer whose body is not read yet, and a refused download throws', async () => {
  const request = {
    name: 'orders.export',
    operation: EXPORT,
    url: `${connection.url}/export`,
    content: undefined,
  }
  const headers = { 'content-type': 'text/csv' }
  proxy.plan({ status: 200, body: 'id,name\n', headers })
  const response = (await sendCall(connection, request, {})).data as Response
  expect(response.bodyUsed).toBe(false)
  expect(await response.text()).toBe('id,name\n')

  proxy.plan({ status: 404, body: '{"success":false,"code":"NOT_FOUND","error":"Gone."}' })
  await expect(sendCall(connection, request, {})).rejects.toMatchObject({ code: 'NOT_FOUND' })
})
