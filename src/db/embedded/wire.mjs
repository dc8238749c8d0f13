/** PostgreSQL's wire protocol, as far as the multiplexer must know it. */

const [SYNC, QUERY] = Buffer.from('SQ')
const SYNC_BYTES = 5
/**
 * There is no socket to read the rows of `copy … from stdin` from. The engine would die of that, so
 * it is told at once that they do not come; after any other statement it ignores this message.
 */
const COPY_FAIL = message('f', 'copy from stdin is not possible with the embedded database\0')

/** Whether the whole message is there. @param {Buffer} bytes @param {number} at */
export function hasMessage(bytes, at) {
  return bytes.length >= at + 5 && bytes.length > at + bytes.readInt32BE(at + 1)
}

/** Whether the engine answers at this message. @param {Buffer} bytes @param {number} at */
export function endsUnit(bytes, at) {
  return bytes[at] === QUERY || bytes[at] === SYNC
}

/** @param {Buffer} unit */
export function withCopyRefused(unit) {
  // A failed copy swallows no Sync that comes after the refusal, but every one before it.
  const cut = unit.at(-SYNC_BYTES) === SYNC ? -SYNC_BYTES : unit.length
  return Buffer.concat([unit.subarray(0, cut), COPY_FAIL, unit.subarray(cut)])
}

/** A letter, the length of the rest, the rest. @param {string} letter @param {string} body */
export function message(letter, body) {
  const bytes = Buffer.from(`${letter}size${body}`, 'latin1')
  bytes.writeInt32BE(bytes.length - 1, 1)
  return bytes
}
