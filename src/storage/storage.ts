import type { Readable } from 'node:stream'

/** Bytes `start` to `end`, both inclusive, as in HTTP. */
export interface ByteRange {
  start: number
  end: number
}

/** Received bytes, counted and hashed while they were streamed to disk, but not stored yet. */
export interface Received {
  path: string
  size_bytes: number
  /** In hex. */
  sha256: string
  /** The first bytes, from which the file type is detected. */
  head: Buffer
}

/** An uploaded file, with the name and type that the caller stated. */
export interface Uploaded extends Received {
  /** Without folders; not validated. */
  name: string
  mime_type: string
}

/**
 * File storage: the local disk or an S3-compatible store (decision 23). A file is named by our id,
 * `newBlobId()`, never by caller input; its display name is a column.
 */
export interface Storage {
  readonly kind: 'local' | 's3'
  /**
   * Streams bytes into a temporary file. PAYLOAD_TOO_LARGE if the actual bytes exceed the limit.
   */
  receive(source: AsyncIterable<Uint8Array>, max_bytes: number): Promise<Received>
  /** Stores a received file atomically. Afterwards it survives a crash. */
  put(id: string, received: Received): Promise<void>
  /** Removes a received file; does nothing if it was stored. */
  discard(received: Received): Promise<void>
  /** Removes received files left behind for an hour; `now` is machine time. */
  sweep(now: number): Promise<void>
  /** The bytes of a file, or of a range; undefined if it does not exist. */
  get(id: string, range?: ByteRange): Promise<Readable | undefined>
  /** The size of a file in bytes; undefined if it does not exist. */
  sizeOf(id: string): Promise<number | undefined>
  /** Does nothing if the file does not exist. */
  remove(id: string): Promise<void>
  close(): Promise<void>
}
