import { common } from '../text/common.ts'

/** The text of an optional field, or null to clear it. */
export const textOrNull = (value: unknown): string | null => (value == null ? null : String(value))

/** The number of an optional field, or null to clear it. */
export const numberOrNull = (value: unknown): number | null =>
  value == null ? null : Number(value)

/** The lines of a text, without spaces around them and without empty lines. */
export const linesOf = (text: unknown): string[] =>
  String(text ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

export const yesNo = (value: boolean): string => (value ? common.yes : common.no)
