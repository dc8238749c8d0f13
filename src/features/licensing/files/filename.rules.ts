const FALLBACK = 'file'
const LENGTH_MAX = 255

/** A name that is safe to save under: no folders, no control characters, no leading dots. */
export function safeFilename(text: string): string {
  const safe = text
    .toWellFormed()
    // Invisible and direction-changing characters can disguise the type of a file.
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}/\\]/gu, '')
    .trim()
    .replace(/^\.+/, '')
    .trim()
  return safe.slice(0, LENGTH_MAX).replace(/[\ud800-\udbff]$/, '') || FALLBACK
}
