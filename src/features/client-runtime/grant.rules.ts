import { SECOND_MS } from '../../kernel/time.ts'

export const GRANT_MS = 300 * SECOND_MS

/** What a grant lets its holder fetch: one version of one file, as long as one session lives. */
export interface Grant {
  session_id: number
  file_id: number
  version: number
  /** By the store's clock, Unix milliseconds. */
  expires_ms: number
}

/** A keyed hash: `vault.hmac('…', text)`. */
type Hash = (text: string) => Buffer

export function writeGrant(
  { session_id, file_id, version, expires_ms }: Grant,
  hash: Hash,
): string {
  const text = `${session_id}.${file_id}.${version}.${expires_ms}`
  return `${text}.${hash(text).toString('base64url')}`
}

/** What a text grants; undefined where it was changed. Its time is for the caller to compare. */
export function readGrant(text: string, hash: Hash): Grant | undefined {
  const [, signed = '', session_id, file_id, version, expires_ms, mac = ''] =
    /^((\d{1,16})\.(\d{1,16})\.(\d{1,16})\.(\d{1,16}))\.([\w-]{43})$/.exec(text) ?? []
  if (signed === '') return undefined
  // Hashed once more, so that the time of the comparison tells nothing of the hash.
  if (!hash(mac).equals(hash(hash(signed).toString('base64url')))) return undefined
  return {
    session_id: Number(session_id),
    file_id: Number(file_id),
    version: Number(version),
    expires_ms: Number(expires_ms),
  }
}
