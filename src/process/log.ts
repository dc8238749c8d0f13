import { type Logger, pino } from 'pino'
import { errorForLog } from '../kernel/error-for-log.ts'

const STDOUT = 1
const STDERR = 2
/** What is kept of a log that cannot be written, such as to a disk that is full. */
const UNWRITTEN_BYTES_MAX = 1024 * 1024

/** The log: a line of JSON for each thing worth knowing, never with what a row or a statement held. */
export const openLog = (level: string): Logger => open(level, STDOUT)

/** For commands, whose standard output is their answer. */
export const openCommandLog = (): Logger => open('error', STDERR)

function open(level: string, to: number): Logger {
  const stream = pino.destination({ dest: to, minLength: 0, maxLength: UNWRITTEN_BYTES_MAX })
  const { flushSync } = stream
  // Unheard, it would end the process; and at the end of the process, flushing would try for ever.
  stream.on('error', () => {
    stream.flushSync = () => {}
  })
  stream.on('write', () => {
    stream.flushSync = flushSync
  })
  return pino({ level, serializers: { err: errorForLog } }, stream)
}
