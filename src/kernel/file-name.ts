import { truncate } from './truncate.ts'

const NAME_MAX = 255

/** Returns a safe file name without folders: `x` for `../../x`. */
export function fileNameOf(text: string): string {
  const base = text.split(/[/\\]/).at(-1) ?? ''
  const visibleName = base
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .trim()
    .replace(/^\.+/, '')
  const shortName = truncate(visibleName, NAME_MAX)
  return shortName === '' ? 'file' : shortName
}

/** Returns a media type that is valid in a header. For other texts it is `application/octet-stream`. */
export const mediaTypeOf = (text: string | undefined): string =>
  /^[a-z0-9][\w.+-]{0,62}\/[a-z0-9][\w.+-]{0,62}$/i.test(text ?? '')
    ? (text ?? '').toLowerCase()
    : 'application/octet-stream'

/** Returns the `Content-Disposition` header with which browsers save a file and do not display it (RFC 6266). */
export function attachment(name: string): string {
  const asciiName = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encodedName = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${asciiName}"; filename*=UTF-8''${encodedName}`
}
