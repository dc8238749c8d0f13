import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { Agent, type Dispatcher, request } from 'undici'
import { unavailable } from '../kernel/errors.ts'
import { SECOND_MS } from '../kernel/time.ts'
import { pathOfBlob } from './blob-id.ts'
import { openIncoming } from './receive.ts'
import type { Received, Storage } from './storage.ts'

export interface S3Options {
  bucket: string
  region: string
  /**
   * The endpoint of a store other than Amazon's, without a trailing slash; the bucket is part of
   * its paths.
   */
  endpoint: string | undefined
  accessKeyId: string
  secretAccessKey: string
}

interface S3Request {
  method: Dispatcher.HttpMethod
  headers?: Record<string, string>
  body?: () => Readable
}

type Answer = Dispatcher.ResponseData

const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
const TRIES = 3
const PAUSE_MS = 200
const TIMEOUTS = { headersTimeout: 30 * SECOND_MS, bodyTimeout: 30 * SECOND_MS }
const CONNECTIONS_MAX = 64

/**
 * Files in a bucket of an S3-compatible store. A received file is on the local disk first, so its
 * length and hash are known. It is sent in one PUT, verified by the store, and sent again after a
 * failure. S3 allows 5 GiB in a PUT, the maximum of `TRADEPOST_MAX_FILE_BYTES`, so a crash cannot
 * leave parts behind.
 */
export function openS3(options: S3Options, incomingFolder: string): Storage {
  const incoming = openIncoming(incomingFolder)
  const agent = new Agent({ ...TIMEOUTS, connections: CONNECTIONS_MAX })
  const base = baseOf(options)

  return {
    kind: 's3',
    ...incoming,

    async put(id, received) {
      const answer = await ask(id, { method: 'PUT', ...bodyOf(received) })
      await answer.body.dump()
      expectStatus(answer, [200])
      await rm(received.path, { force: true })
    },

    async get(id, range) {
      const headers = range && { range: `bytes=${range.start}-${range.end}` }
      const answer = await ask(id, { method: 'GET', headers })
      if ([200, 206].includes(answer.statusCode)) return answer.body
      await answer.body.dump()
      expectStatus(answer, [404])
      return undefined
    },

    async sizeOf(id) {
      const answer = await ask(id, { method: 'HEAD' })
      await answer.body.dump()
      if (answer.statusCode === 200) return Number(answer.headers['content-length'])
      expectStatus(answer, [404])
      return undefined
    },

    async remove(id) {
      const answer = await ask(id, { method: 'DELETE' })
      await answer.body.dump()
      expectStatus(answer, [200, 204, 404])
    },

    close: () => agent.close(),
  }

  /** Retries after a failure of the store or the network; all these calls are idempotent. */
  async function ask(id: string, request: S3Request): Promise<Answer> {
    const url = `${base}/${pathOfBlob(id)}`
    for (let attempt = 1; ; attempt++) {
      const answer = await once(url, request).catch((error: Error) => error)
      const failed = answer instanceof Error || answer.statusCode >= 500
      if (!failed) return answer
      if (!(answer instanceof Error)) await answer.body.dump()
      if (attempt === TRIES) throw gone(answer)
      await pause(PAUSE_MS * attempt)
    }
  }

  async function once(url: string, { method, headers, body }: S3Request): Promise<Answer> {
    const signer = new AwsV4Signer({
      ...options,
      method,
      url,
      headers: { 'x-amz-content-sha256': EMPTY_SHA256, ...headers },
      service: 's3',
    })
    const signed = await signer.sign()
    return request(signed.url, {
      dispatcher: agent,
      method,
      headers: Object.fromEntries(signed.headers),
      ...(body && { body: body() }),
    })
  }
}

const bodyOf = ({ path, size_bytes, sha256 }: Received) => ({
  headers: { 'content-length': String(size_bytes), 'x-amz-content-sha256': sha256 },
  body: () => createReadStream(path),
})

const baseOf = ({ endpoint, bucket, region }: S3Options): string =>
  endpoint ? `${endpoint}/${bucket}` : `https://${bucket}.s3.${region}.amazonaws.com`

const gone = (last: Error | Answer) =>
  unavailable(
    'The file storage does not answer; repeat the call.',
    5,
    last instanceof Error ? last : new Error(`The file storage answered ${last.statusCode}.`),
  )

/**
 * A refusal means a wrong key, bucket or clock. The log has the status; the caller gets an internal
 * error.
 */
function expectStatus({ statusCode }: Answer, expected: readonly number[]): void {
  if (expected.includes(statusCode)) return
  throw new Error(`The file storage answered ${statusCode}; check TRADEPOST_S3_*.`)
}
