/** The parts of an installation that the page System shows, in this order. */
export const PART_NAMES = [
  'database',
  'disk',
  'clock',
  'storage',
  'mail',
  'certificate',
  'backup',
  'queue',
  'receivers',
] as const

export const PART_STATES = ['ok', 'warning', 'failed', 'off'] as const

/** The faults of parts. The dashboard has a sentence and a cure for each. */
export const PART_PROBLEMS = [
  'no_answer',
  'disk_full',
  'disk_low',
  'clock_differs',
  'mail_waits',
  'certificate_ended',
  'certificate_ends',
  'no_backup',
  'backup_old',
  'queue_late',
  'receivers_fail',
  'receivers_off',
] as const

/** The state of a part, and the figures that its text names. */
export interface PartReport {
  name: (typeof PART_NAMES)[number]
  state: (typeof PART_STATES)[number]
  problem: (typeof PART_PROBLEMS)[number] | null
  values: Record<string, number>
}
