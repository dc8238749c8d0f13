import { type Logger, pino } from 'pino'
import { errorForLog } from '../kernel/error-for-log.ts'

const STDOUT = 1
const STDERR = 2

/** The log: a line of JSON for each thing worth knowing, never with what a row or a statement held. */
export const openLog = (level: string): Logger => open(level, STDOUT)

/** For commands, whose standard output is their answer. */
export const openCommandLog = (): Logger => open('error', STDERR)

const open = (level: string, to: number): Logger =>
  pino({ level, serializers: { err: errorForLog } }, pino.destination(to))
