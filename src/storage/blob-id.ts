import { randomBytes } from 'node:crypto'

/** Returns 128 random bits in hex, which cannot be guessed and are a safe file name everywhere. */
export const newBlobId = (): string => randomBytes(16).toString('hex')

/**
 * Returns the path of a blob in a folder or bucket. The first two characters spread blobs over 256 folders.
 * Throws if the id is invalid, so that no other name reaches a file system.
 */
export function pathOfBlob(id: string): string {
  if (!/^[0-9a-f]{32}$/.test(id)) throw new RangeError('This is not the id of a blob.')
  return `${id.slice(0, 2)}/${id}`
}
