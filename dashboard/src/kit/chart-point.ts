/** A line, bars, or bars without scales in one low strip. */
export type ChartKind = 'line' | 'bars' | 'strip'

export interface ChartPoint {
  /** Unique. It names the point in an exported file, such as `2026-11-03`. */
  key: string
  /** The name of the point, such as "Tue 3 Nov 2026". */
  label: string
  /** A short name for the scale, such as "3 Nov". */
  tick: string
  value: number
  /** The value to compare with, such as that of the same day of the previous period. */
  comparison?: { key: string; label: string; value: number } | undefined
}
