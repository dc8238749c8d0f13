import { HOST_NAME_ERROR, hasHost } from './net.ts'

export const URL_MAX = 2_048
export const URL_LENGTH_ERROR = `Write at most ${URL_MAX} characters.`
export const URL_SPACES_ERROR =
  'Remove spaces, line ends and control characters, or percent-encode them.'
export const BACKSLASH_ERROR =
  'Remove the backslash: write / between the parts of a URL, and %5C for the character.'
const USER_ERROR = 'Remove the user name and the password.'

/** White space, and characters that are not shown or turn the text around. */
const HIDDEN = /[\s\p{Cc}\p{Bidi_Control}]/u

/** Returns true if a URL has characters that `new URL` would remove, or that hide what it names. */
export const hasHiddenCharacters = (text: string): boolean => HIDDEN.test(text)

/**
 * Returns the reason for which a URL is refused that people follow later; undefined if it is allowed. It must be complete
 * and have no user name. Texts that `new URL` would repair silently are refused, because others read them differently:
 * `https://a.com\@b.com/` leads to one host in a browser, and to another in a client that follows RFC 3986.
 */
export function urlProblem(text: string, example: string): string | undefined {
  if (text.length > URL_MAX) return URL_LENGTH_ERROR
  if (hasHiddenCharacters(text)) return URL_SPACES_ERROR
  if (text.includes('\\')) return BACKSLASH_ERROR
  const [, authority = ''] = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(text) ?? []
  if (authority === '' || !URL.canParse(text)) return `Write a complete URL, such as ${example}.`
  if (authority.includes('@')) return USER_ERROR
  return hasHost(new URL(text)) ? undefined : HOST_NAME_ERROR
}
