const NAME_MAX = 255

/** The name of a file without its folders: `../../x` is `x`. */
export function fileNameOf(text: string): string {
  const base = text.split(/[/\\]/).at(-1) ?? ''
  const clean = base
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .trim()
    .replace(/^\.+/, '')
  const cut = clean.slice(0, NAME_MAX).replace(/[\ud800-\udbff]$/, '')
  return cut === '' ? 'file' : cut
}

/** A media type that is valid in a header; any other text gives the type of plain bytes. */
export const mediaTypeOf = (text: string | undefined): string =>
  /^[a-z0-9][\w.+-]{0,62}\/[a-z0-9][\w.+-]{0,62}$/i.test(text ?? '')
    ? (text ?? '').toLowerCase()
    : 'application/octet-stream'

/** The header that makes a browser save a file under its name and never display it (RFC 6266). */
export function attachment(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const full = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${ascii}"; filename*=UTF-8''${full}`
}
