/** The parts of PostgreSQL's wire protocol that the multiplexer needs. */

const [SYNC, QUERY] = Buffer.from('SQ')
const SYNC_BYTES = 5
/**
 * Refuses `copy … from stdin`. The engine has no socket to read the rows from, and would die. After
 * any other statement it ignores this message.
 */
const COPY_FAIL = message('f', 'copy from stdin is not possible with the embedded database\0')

/** True if the message is complete. @param {Buffer} bytes @param {number} at */
export function hasMessage(bytes, at) {
  return bytes.length >= at + 5 && bytes.length > at + bytes.readInt32BE(at + 1)
}

/** True if the engine answers after this message. @param {Buffer} bytes @param {number} at */
export function endsUnit(bytes, at) {
  return bytes[at] === QUERY || bytes[at] === SYNC
}

/** @param {Buffer} unit */
export function withCopyRefused(unit) {
  // A failed copy discards every Sync before the refusal, but none after it.
  const cut = unit.at(-SYNC_BYTES) === SYNC ? -SYNC_BYTES : unit.length
  return Buffer.concat([unit.subarray(0, cut), COPY_FAIL, unit.subarray(cut)])
}

/** A letter, the length of the rest, the rest. @param {string} letter @param {string} body */
export function message(letter, body) {
  const bytes = Buffer.from(`${letter}size${body}`, 'latin1')
  bytes.writeInt32BE(bytes.length - 1, 1)
  return bytes
}
