import { randomBytes } from 'node:crypto'

/** 128 random bits in hex: unguessable, and a harmless name on any file system. */
export const newBlobId = (): string => randomBytes(16).toString('hex')

/**
 * Where a blob lies, below a folder or a bucket. Two characters spread them over 256 folders. Throws
 * for what is no id of ours, so that no other name ever reaches a file system.
 */
export function pathOfBlob(id: string): string {
  if (!/^[0-9a-f]{32}$/.test(id)) throw new RangeError('This is not the id of a blob.')
  return `${id.slice(0, 2)}/${id}`
}
