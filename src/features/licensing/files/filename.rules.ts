import { truncate } from '../../../kernel/truncate.ts'

const FALLBACK = 'file'
const LENGTH_MAX = 255

/** Returns a safe file name: without folders, control characters and leading dots. */
export function safeFilename(text: string): string {
  const safe = text
    .toWellFormed()
    // Invisible and direction-changing characters can disguise the type of a file.
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}/\\]/gu, '')
    .trim()
    .replace(/^\.+/, '')
    .trim()
  return truncate(safe, LENGTH_MAX) || FALLBACK
}
