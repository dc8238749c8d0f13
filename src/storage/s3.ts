import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { Agent, type Dispatcher, request } from 'undici'
import { unavailable } from '../kernel/errors.ts'
import type { S3Bucket } from '../kernel/s3-bucket.ts'
import { SECOND_MS } from '../kernel/time.ts'
import { pathOfBlob } from './blob-id.ts'
import { openIncoming } from './receive.ts'
import type { ReceivedFile, Storage } from './storage.ts'

interface S3Request {
  method: Dispatcher.HttpMethod
  headers?: Record<string, string>
  body?: () => Readable
}

type S3Response = Dispatcher.ResponseData

const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
const ATTEMPTS = 3
const PAUSE_MS = 200
const TIMEOUTS = { headersTimeout: 30 * SECOND_MS, bodyTimeout: 30 * SECOND_MS }
const CONNECTIONS_MAX = 64

/**
 * Opens storage in a bucket of an S3-compatible server. A file is first received on the local disk, so its length
 * and hash are known. It is sent in one PUT, which the server verifies, and sent again after a failure. Because
 * it is one PUT, a crash cannot leave parts in the bucket. S3 limits a PUT to 5 GiB, which is also the maximum of
 * `TRADEPOST_MAX_FILE_BYTES`.
 */
export function openS3(bucket: S3Bucket, incomingFolder: string): Storage {
  const incoming = openIncoming(incomingFolder)
  const agent = new Agent({ ...TIMEOUTS, connections: CONNECTIONS_MAX })
  const baseUrl = baseOf(bucket)

  return {
    kind: 's3',
    ...incoming,

    async put(id, file) {
      const answer = await send(id, { method: 'PUT', ...bodyOf(file) })
      await answer.body.dump()
      expectStatus(answer, [200])
      await rm(file.path, { force: true })
    },

    async get(id, range) {
      const headers = range && { range: `bytes=${range.start}-${range.end}` }
      const answer = await send(id, { method: 'GET', headers })
      if ([200, 206].includes(answer.statusCode)) return answer.body
      await answer.body.dump()
      expectStatus(answer, [404])
      return undefined
    },

    async sizeOf(id) {
      const answer = await send(id, { method: 'HEAD' })
      await answer.body.dump()
      if (answer.statusCode === 200) return Number(answer.headers['content-length'])
      expectStatus(answer, [404])
      return undefined
    },

    async remove(id) {
      const answer = await send(id, { method: 'DELETE' })
      await answer.body.dump()
      expectStatus(answer, [200, 204, 404])
    },

    close: () => agent.close(),
  }

  /** Sends a request, and repeats it after a failure of the server or the network. All requests are idempotent. */
  async function send(id: string, request: S3Request): Promise<S3Response> {
    const url = `${baseUrl}/${pathOfBlob(id)}`
    for (let attempt = 1; ; attempt++) {
      const answer = await sendOnce(url, request).catch((error: Error) => error)
      const isFailed = answer instanceof Error || answer.statusCode >= 500
      if (!isFailed) return answer
      if (!(answer instanceof Error)) await answer.body.dump()
      if (attempt === ATTEMPTS) throw storageUnavailable(answer)
      await pause(PAUSE_MS * attempt)
    }
  }

  async function sendOnce(url: string, { method, headers, body }: S3Request): Promise<S3Response> {
    const signer = new AwsV4Signer({
      ...bucket,
      method,
      url,
      headers: { 'x-amz-content-sha256': EMPTY_SHA256, ...headers },
      service: 's3',
    })
    const signedRequest = await signer.sign()
    return request(signedRequest.url, {
      dispatcher: agent,
      method,
      headers: Object.fromEntries(signedRequest.headers),
      ...(body && { body: body() }),
    })
  }
}

const bodyOf = ({ path, size_bytes, sha256 }: ReceivedFile) => ({
  headers: { 'content-length': String(size_bytes), 'x-amz-content-sha256': sha256 },
  body: () => createReadStream(path),
})

const baseOf = ({ endpoint, bucket, region }: S3Bucket): string =>
  endpoint ? `${endpoint}/${bucket}` : `https://${bucket}.s3.${region}.amazonaws.com`

const storageUnavailable = (lastResult: Error | S3Response) =>
  unavailable(
    'The file storage does not answer. Repeat the call.',
    5,
    lastResult instanceof Error
      ? lastResult
      : new Error(`The file storage answered ${lastResult.statusCode}.`),
  )

/**
 * Throws if the server refused a request, which means a wrong key, bucket or clock. The caller gets an internal
 * error; the log has the status.
 */
function expectStatus({ statusCode }: S3Response, expectedStatuses: readonly number[]): void {
  if (expectedStatuses.includes(statusCode)) return
  throw new Error(`The file storage answered ${statusCode}. Check TRADEPOST_S3_*.`)
}
