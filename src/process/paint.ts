import { styleText } from 'node:util'
import { type Paint, plain } from '../command.ts'

interface OutputStream {
  /** Exists only on a terminal. It respects NO_COLOR, FORCE_COLOR and TERM. */
  hasColors?(): boolean
}

/** Returns a function that colours text if the stream is a terminal with colours. */
export const painterOf = (stream: OutputStream): Paint =>
  // styleText must not check standard output, which may be a pipe while errors go to a terminal.
  stream.hasColors?.() ? (style, text) => styleText(style, text, { validateStream: false }) : plain
