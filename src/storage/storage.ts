import type { Readable } from 'node:stream'

/** Bytes `start` to `end`, both included, as HTTP counts them. */
export interface ByteRange {
  start: number
  end: number
}

/** Bytes that came in, counted and hashed while they streamed to the disk, and kept nowhere yet. */
export interface Received {
  path: string
  size_bytes: number
  /** In hex. */
  sha256: string
  /** The first bytes, which tell what kind of file it is. */
  head: Buffer
}

/** What a caller uploaded, with what the caller says of it. */
export interface Uploaded extends Received {
  /** Without folders; not yet checked. */
  name: string
  mime_type: string
}

/**
 * Where files lie: the local disk, or an S3-compatible store (decision 23). A file is named by an id
 * of ours, `newBlobId()`, and by nothing that a caller sent; what it is called is a column.
 */
export interface Storage {
  readonly kind: 'local' | 's3'
  /** Streams bytes into a temporary file. PAYLOAD_TOO_LARGE past the limit, on the bytes themselves. */
  receive(source: AsyncIterable<Uint8Array>, max_bytes: number): Promise<Received>
  /** Puts what was received in its place, whole or not at all. It survives a crash from then on. */
  put(id: string, received: Received): Promise<void>
  /** Removes what was received; nothing happens where it was put in its place. */
  discard(received: Received): Promise<void>
  /** Removes what came in and was left behind an hour before this moment of the machine's. */
  sweep(now: number): Promise<void>
  /** The bytes, or a part of them; undefined where there is no such file. */
  get(id: string, range?: ByteRange): Promise<Readable | undefined>
  /** How many bytes a file has; undefined where there is none. */
  sizeOf(id: string): Promise<number | undefined>
  /** Removing what is not there is no failure. */
  remove(id: string): Promise<void>
  close(): Promise<void>
}
