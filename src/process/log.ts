import { type Logger, pino } from 'pino'
import { errorForLog } from '../kernel/error-for-log.ts'

const STDOUT = 1
const STDERR = 2
/** The maximum buffered for a log that cannot be written, such as on a full disk. */
const UNWRITTEN_BYTES_MAX = 1024 * 1024

/** The log in JSON lines; never contains values of rows or statements. */
export const openLog = (level: string): Logger => open(level, STDOUT)

/** For commands, whose standard output is their answer. */
export const openCommandLog = (): Logger => open('error', STDERR)

function open(level: string, to: number): Logger {
  const stream = pino.destination({ dest: to, minLength: 0, maxLength: UNWRITTEN_BYTES_MAX })
  const { flushSync } = stream
  // Without a listener, the error would end the process; and at its end, the flush would retry
  // forever.
  stream.on('error', () => {
    stream.flushSync = () => {}
  })
  stream.on('write', () => {
    stream.flushSync = flushSync
  })
  return pino({ level, serializers: { err: errorForLog } }, stream)
}
