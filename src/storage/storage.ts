import type { Readable } from 'node:stream'

/** Bytes `start` to `end`, both inclusive, as in HTTP. */
export interface ByteRange {
  start: number
  end: number
}

/** A file that was received in a temporary file, and is not stored yet. */
export interface ReceivedFile {
  path: string
  size_bytes: number
  /** In hex. */
  sha256: string
  /** The first bytes, from which the file type is detected. */
  head: Buffer
}

/** A received file with the name and the type that the caller stated. */
export interface UploadedFile extends ReceivedFile {
  /** The file name without folders. It is not validated. */
  name: string
  mime_type: string
}

/**
 * File storage: the local disk or an S3-compatible store (decision 23). The name of a stored file is an id from
 * `newBlobId()`, never input of a caller. Its display name is a column.
 */
export interface Storage {
  readonly kind: 'local' | 's3'
  /** Streams bytes into a temporary file. Fails with PAYLOAD_TOO_LARGE if they exceed the limit. */
  receive(source: AsyncIterable<Uint8Array>, max_bytes: number): Promise<ReceivedFile>
  /** Stores a received file atomically. Afterwards it survives a crash. */
  put(id: string, file: ReceivedFile): Promise<void>
  /** Removes a received file; does nothing if it was stored. */
  discard(file: ReceivedFile): Promise<void>
  /** Removes received files that were not stored within an hour. `now` is machine time. */
  sweep(now: number): Promise<void>
  /** Returns the bytes of a file or of a range; undefined if the file does not exist. */
  get(id: string, range?: ByteRange): Promise<Readable | undefined>
  /** Returns the size of a file in bytes; undefined if the file does not exist. */
  sizeOf(id: string): Promise<number | undefined>
  /** Removes a file. Does nothing if it does not exist. */
  remove(id: string): Promise<void>
  close(): Promise<void>
}
