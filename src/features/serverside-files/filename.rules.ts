const FALLBACK = 'file'
const LENGTH_MAX = 255

/** A name that is safe to save under: no folders, no control characters, no leading dots. */
export function safeFilename(text: string): string {
  const safe = text
    .toWellFormed()
    // What is not seen, or turns the direction of writing around, can disguise what a file is.
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}/\\]/gu, '')
    .trim()
    .replace(/^\.+/, '')
    .trim()
  return [...safe].slice(0, LENGTH_MAX).join('').slice(0, LENGTH_MAX) || FALLBACK
}

/** `Content-Disposition` of RFC 6266: ASCII for old programs, and the whole name beside it. */
export function dispositionOf(filename: string): string {
  const ascii = filename.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const whole = encodeURIComponent(filename).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${ascii}"; filename*=UTF-8''${whole}`
}
