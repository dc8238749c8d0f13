import { styleText } from 'node:util'
import { type Paint, plain } from '../command.ts'

interface Stream {
  /** Only a terminal has it. It follows NO_COLOR, FORCE_COLOR and TERM. */
  hasColors?(): boolean
}

/** Colours text if the stream is a terminal with colours. */
export const painterOf = (stream: Stream): Paint =>
  // Else styleText would ask standard output again, which may be a pipe while errors go to a terminal.
  stream.hasColors?.() ? (style, text) => styleText(style, text, { validateStream: false }) : plain
