import type { PartReport } from '../../../kernel/system-parts.ts'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../kernel/time.ts'

/** The state of a part, and the figures that its text names. */
export type Judgement = Pick<PartReport, 'state' | 'problem' | 'values'>

const MIB = 1024 * 1024
/** The server takes no more calls that write (decision 211). */
const DISK_FULL_BYTES = 16 * MIB
const DISK_LOW_BYTES = 1024 * MIB

export function judgeDisk(free_bytes: number): Judgement {
  const values = { free_bytes }
  if (free_bytes < DISK_FULL_BYTES) return { state: 'failed', problem: 'disk_full', values }
  if (free_bytes < DISK_LOW_BYTES) return { state: 'warning', problem: 'disk_low', values }
  return { state: 'ok', problem: null, values }
}

const CLOCK_DIFFERENCE_MAX_MS = 2 * SECOND_MS

/** Judges how far the clock of the database server is ahead of the clock of this machine. */
export function judgeClock(difference_ms: number): Judgement {
  const values = { difference_s: Math.round(difference_ms / SECOND_MS) }
  return Math.abs(difference_ms) > CLOCK_DIFFERENCE_MAX_MS
    ? { state: 'warning', problem: 'clock_differs', values }
    : { state: 'ok', problem: null, values }
}

const MAIL_LATE_MS = 15 * MINUTE_MS

export function judgeMail({
  waiting,
  oldest_due_age_ms,
}: {
  waiting: number
  oldest_due_age_ms: number
}): Judgement {
  return oldest_due_age_ms > MAIL_LATE_MS
    ? { state: 'warning', problem: 'mail_waits', values: { waiting } }
    : { state: 'ok', problem: null, values: { waiting } }
}

/** A renewal that works replaces a certificate 30 days before its end. */
const CERTIFICATE_LATE_DAYS = 14

export function judgeCertificate(remaining_ms: number): Judgement {
  const days = Math.floor(remaining_ms / DAY_MS)
  if (days < 0) return { state: 'failed', problem: 'certificate_ended', values: { days: -days } }
  return days < CERTIFICATE_LATE_DAYS
    ? { state: 'warning', problem: 'certificate_ends', values: { days } }
    : { state: 'ok', problem: null, values: { days } }
}

const BACKUP_OLD_DAYS = 7

/** `age_ms` is null if no backup was made. */
export function judgeBackup(age_ms: number | null): Judgement {
  if (age_ms === null) return { state: 'warning', problem: 'no_backup', values: {} }
  const days = Math.max(0, Math.floor(age_ms / DAY_MS))
  return days >= BACKUP_OLD_DAYS
    ? { state: 'warning', problem: 'backup_old', values: { days } }
    : { state: 'ok', problem: null, values: { days } }
}
