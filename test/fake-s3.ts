import { createHash, createHmac } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { openLocalServer } from './local-server.ts'

/** A server with one bucket in memory. It checks signatures of S3's version 4 and hashes of bodies. */
export interface FakeS3 {
  endpoint: string
  objects: Map<string, Buffer>
  /** The statuses with which the next calls fail. 0 breaks the connection. */
  failures: number[]
  /** The method and the path of each call. */
  calls: string[]
  close(): Promise<void>
}

export const FAKE_KEY = { accessKeyId: 'AKIAFAKE', secretAccessKey: 'fake+secret/key' }
export const FAKE_BUCKET = 'shop-files'
export const FAKE_REGION = 'eu-test-1'

export async function startFakeS3(): Promise<FakeS3> {
  const objects = new Map<string, Buffer>()
  const failures: number[] = []
  const calls: string[] = []
  const server = await openLocalServer(async (request, response) => {
    const body = await buffer(request)
    calls.push(`${request.method} ${request.url}`)
    const failure = failures.shift()
    if (failure === 0) return void request.socket.destroy()
    if (failure) return refuse(response, [failure, 'InternalError'])
    const refusal = findRefusal(request, body)
    if (refusal) return refuse(response, refusal)
    answer(objects, request, response, body)
  })
  return {
    endpoint: server.origin,
    objects,
    failures,
    calls,
    close: server.close,
  }
}

type Refusal = [status: number, code: string]

function refuse(response: ServerResponse, [status, code]: Refusal) {
  response.writeHead(status, { 'content-type': 'application/xml' })
  response.end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`)
}

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

function findRefusal(request: IncomingMessage, body: Buffer): Refusal | undefined {
  const { headers, method } = request
  if (method === 'PUT' && headers['content-length'] === undefined) {
    return [411, 'MissingContentLength']
  }
  const declaredHash = String(headers['x-amz-content-sha256'])
  if (declaredHash !== sha256(body)) return [400, 'XAmzContentSHA256Mismatch']
  return headers.authorization === authorizationOf(request, declaredHash)
    ? undefined
    : [403, 'SignatureDoesNotMatch']
}

/** Computes the header of the received request as in the documentation of Signature Version 4. */
function authorizationOf({ headers, method, url }: IncomingMessage, bodyHash: string): string {
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
  const scope = `${date.slice(0, 8)}/${FAKE_REGION}/s3/aws4_request`
  const stringToSign = ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n')
  const key = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${FAKE_KEY.secretAccessKey}`)
  return [
    `AWS4-HMAC-SHA256 Credential=${FAKE_KEY.accessKeyId}/${scope}`,
    `SignedHeaders=${names}`,
    `Signature=${createHmac('sha256', key).update(stringToSign).digest('hex')}`,
  ].join(', ')
}

function answer(
  objects: FakeS3['objects'],
  { method, url = '', headers }: IncomingMessage,
  response: ServerResponse,
  body: Buffer,
) {
  const object = objects.get(url)
  if (!url.startsWith(`/${FAKE_BUCKET}/`)) return refuse(response, [404, 'NoSuchBucket'])
  if (method === 'PUT') objects.set(url, body)
  if (method === 'DELETE') objects.delete(url)
  if (method === 'PUT' || method === 'DELETE') {
    return response.writeHead(method === 'PUT' ? 200 : 204).end()
  }
  if (!object) return refuse(response, [404, 'NoSuchKey'])
  if (method === 'HEAD') return response.writeHead(200, { 'content-length': object.length }).end()
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? []
  if (start === undefined) return response.writeHead(200).end(object)
  response.writeHead(206).end(object.subarray(Number(start), Number(end) + 1))
}
