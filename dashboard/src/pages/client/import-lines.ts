import type { ImportedLicenseKeys } from '../../api/security.ts'
import { type StoreContext, TradepostError } from '../../api/store.ts'
import { licenseImport } from '../../text/license-import.ts'
import { type KeyLine, linesOf } from '../catalogue/key-lines.ts'

/** The maximum number of keys in one call. */
export const KEYS_PER_CALL = 1_000
/** The import stops after this many refused lines, because each of them costs a call. */
const REFUSALS_MAX = 100
const KEY_LENGTH_MAX = 255

export interface RefusedLine extends KeyLine {
  reason: string
}

interface CheckedLines {
  valid: readonly KeyLine[]
  refused: readonly RefusedLine[]
}

/** Checks what can be known without the server: the form of each key, and repetitions. */
export function checkLines(text: string): CheckedLines {
  const valid: KeyLine[] = []
  const refused: RefusedLine[] = []
  const seenKeys = new Set<string>()
  for (const item of linesOf(text)) {
    const reason = reasonFor(item, seenKeys)
    if (reason === undefined) {
      seenKeys.add(item.key)
      valid.push(item)
    } else refused.push({ ...item, reason })
  }
  return { valid, refused }
}

function reasonFor({ key }: KeyLine, seenKeys: ReadonlySet<string>): string | undefined {
  if (key.length > KEY_LENGTH_MAX) return licenseImport.tooLong
  if (/\p{Cc}/u.test(key)) return licenseImport.control
  return seenKeys.has(key) ? licenseImport.repeated : undefined
}

/** The limits of all imported keys, such as `max_devices`. */
export type ImportedTerms = Omit<ImportedLicenseKeys['keys'][number], 'key'>

export interface ImportResult {
  imported: number
  refused: readonly RefusedLine[]
  /** The lines that were not sent, because too many were refused before them. */
  unsent: readonly KeyLine[]
}

interface ImportOptions {
  app_id?: number
  terms: ImportedTerms
  /** Called after each call, with the lines that it imported. */
  onImported: (lines: readonly KeyLine[]) => void
}

/** The body of a call that imports these lines. */
export const importBodyOf = (
  lines: readonly KeyLine[],
  { app_id, terms }: Pick<ImportOptions, 'app_id' | 'terms'>,
): ImportedLicenseKeys => ({
  ...(app_id !== undefined && { app_id }),
  keys: lines.map(({ key }) => ({ key, ...terms })),
})

/**
 * Imports lines in calls of up to 1,000. The API imports all keys of a call or none, and names the first one
 * that it refuses. That line is left out, and the others are sent again.
 */
export async function importLines(
  { security }: Pick<StoreContext, 'security'>,
  lines: readonly KeyLine[],
  options: ImportOptions,
): Promise<ImportResult> {
  const refused: RefusedLine[] = []
  let imported = 0
  let unsent = lines
  while (unsent.length > 0 && refused.length < REFUSALS_MAX) {
    const chunk = unsent.slice(0, KEYS_PER_CALL)
    try {
      await security.licenseKeys.import(importBodyOf(chunk, options))
      options.onImported(chunk)
      imported += chunk.length
      unsent = unsent.slice(chunk.length)
    } catch (error) {
      const refusal = refusalOfLine(error)
      const line = refusal && chunk[refusal.index]
      if (!refusal || !line) throw error
      refused.push({ ...line, reason: refusal.reason })
      unsent = unsent.filter((item) => item !== line)
    }
  }
  return { imported, refused, unsent }
}

/** Reads the line from a refusal such as `keys[3].key: This key exists already.` */
function refusalOfLine(error: unknown): { index: number; reason: string } | undefined {
  if (!(error instanceof TradepostError)) return undefined
  const [, index, reason = ''] = /^keys\[(\d+)\]\.key: (.+)$/s.exec(error.message) ?? []
  return index === undefined ? undefined : { index: Number(index), reason }
}
