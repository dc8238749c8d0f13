import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A bucket in memory that speaks S3's wire format: Signature Version 4, checked bytes, ranges. */
export interface FakeS3 {
  endpoint: string
  objects: Map<string, Buffer>
  /** The statuses that the next calls get instead of an answer; 0 breaks the connection. */
  failures: number[]
  calls: string[]
  close(): Promise<void>
}

export const FAKE_KEY = { accessKeyId: 'AKIAFAKE', secretAccessKey: 'fake+secret/key' }
export const FAKE_BUCKET = 'shop-files'
const REGION = 'eu-test-1'
export const FAKE_REGION = REGION

export async function startFakeS3(): Promise<FakeS3> {
  const objects = new Map<string, Buffer>()
  const failures: number[] = []
  const calls: string[] = []
  const server = createServer(async (request, response) => {
    const body = await bytesOf(request)
    calls.push(`${request.method} ${request.url}`)
    const failure = failures.shift()
    if (failure === 0) return void request.socket.destroy()
    const refusal = failure ? [failure, 'InternalError'] : whyRefused(request, body)
    if (refusal) return refuse(response, Number(refusal[0]), String(refusal[1]))
    answer(objects, request, response, body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    endpoint: `http://127.0.0.1:${port}`,
    objects,
    failures,
    calls,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function refuse(response: ServerResponse, status: number, code: string) {
  response.writeHead(status, { 'content-type': 'application/xml' })
  response.end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`)
}

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

function whyRefused(request: IncomingMessage, body: Buffer): [number, string] | undefined {
  const { headers, method } = request
  if (method === 'PUT' && headers['content-length'] === undefined) {
    return [411, 'MissingContentLength']
  }
  const claimed = String(headers['x-amz-content-sha256'])
  if (claimed !== sha256(body)) return [400, 'XAmzContentSHA256Mismatch']
  return headers.authorization === signatureOf(request, claimed)
    ? undefined
    : [403, 'SignatureDoesNotMatch']
}

/** As the documentation of Signature Version 4 computes it, from what arrived. */
function signatureOf({ headers, method, url }: IncomingMessage, bodyHash: string): string {
  const date = String(headers['x-amz-date'])
  const names = /SignedHeaders=([^,]+)/.exec(String(headers.authorization))?.[1] ?? ''
  const canonical = [
    method,
    url,
    '',
    ...names.split(';').map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    names,
    bodyHash,
  ].join('\n')
  const scope = `${date.slice(0, 8)}/${REGION}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n')
  const key = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${FAKE_KEY.secretAccessKey}`)
  return [
    `AWS4-HMAC-SHA256 Credential=${FAKE_KEY.accessKeyId}/${scope}`,
    `SignedHeaders=${names}`,
    `Signature=${createHmac('sha256', key).update(text).digest('hex')}`,
  ].join(', ')
}

function answer(
  objects: FakeS3['objects'],
  { method, url = '', headers }: IncomingMessage,
  response: ServerResponse,
  body: Buffer,
) {
  const object = objects.get(url)
  if (!url.startsWith(`/${FAKE_BUCKET}/`)) return refuse(response, 404, 'NoSuchBucket')
  if (method === 'PUT') objects.set(url, body)
  if (method === 'DELETE') objects.delete(url)
  if (method === 'PUT' || method === 'DELETE') {
    return response.writeHead(method === 'PUT' ? 200 : 204).end()
  }
  if (!object) return refuse(response, 404, 'NoSuchKey')
  if (method === 'HEAD') return response.writeHead(200, { 'content-length': object.length }).end()
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? []
  if (start === undefined) return response.writeHead(200).end(object)
  response.writeHead(206).end(object.subarray(Number(start), Number(end) + 1))
}
