import { openSigned, type Sign, signText } from '../../../kernel/signed-text.ts'
import { SECOND_MS } from '../../../kernel/time.ts'

/** The time for which a grant is valid. */
export const GRANT_MS = 300 * SECOND_MS

/** A grant to fetch one version of one file, for as long as one session is live. */
interface Grant {
  session_id: number
  file_id: number
  version: number
  /** By the store's clock, Unix milliseconds. */
  expires_ms: number
}

export const writeGrant = (
  { session_id, file_id, version, expires_ms }: Grant,
  sign: Sign,
): string => signText(`${session_id}.${file_id}.${version}.${expires_ms}`, sign)

/** Reads a grant. Returns undefined if the signature is invalid. The caller checks its expiry. */
export function readGrant(text: string, sign: Sign): Grant | undefined {
  const [, session_id, file_id, version, expires_ms] =
    /^(\d{1,16})\.(\d{1,16})\.(\d{1,16})\.(\d{1,16})$/.exec(openSigned(text, sign) ?? '') ?? []
  if (session_id === undefined) return undefined
  return {
    session_id: Number(session_id),
    file_id: Number(file_id),
    version: Number(version),
    expires_ms: Number(expires_ms),
  }
}
