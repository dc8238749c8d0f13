import { type Logger, pino } from 'pino'
import { errorForLog } from '../kernel/error-for-log.ts'

const STDOUT = 1
const STDERR = 2
/** The maximum number of buffered bytes while the log cannot be written, such as on a full disk. */
const UNWRITTEN_BYTES_MAX = 1024 * 1024

/** Opens the log, which has JSON lines and no values of rows or statements. */
export const openLog = (level: string): Logger => open(level, STDOUT)

/** Opens the log of a command on standard error, because standard output is the answer. */
export const openCommandLog = (): Logger => open('error', STDERR)

function open(level: string, fileDescriptor: number): Logger {
  const stream = pino.destination({
    dest: fileDescriptor,
    minLength: 0,
    maxLength: UNWRITTEN_BYTES_MAX,
  })
  const { flushSync } = stream
  // Without a listener the error would end the process, and the flush at its end would retry forever.
  stream.on('error', () => {
    stream.flushSync = () => {}
  })
  stream.on('write', () => {
    stream.flushSync = flushSync
  })
  return pino({ level, serializers: { err: errorForLog } }, stream)
}
