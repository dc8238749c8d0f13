/** The parts of PostgreSQL's wire protocol that the multiplexer needs. */

const [SYNC, QUERY] = Buffer.from('SQ')
/**
 * The message that refuses `copy … from stdin`. The engine has no socket from which it could read rows,
 * and would crash. After any other statement it ignores the message.
 */
const COPY_FAIL = message('f', 'copy from stdin is not possible with the embedded database\0')

/** Returns true if the message that begins at `start` is complete. @param {Buffer} bytes @param {number} start */
export function hasMessage(bytes, start) {
  return bytes.length >= start + 5 && bytes.length > start + bytes.readInt32BE(start + 1)
}

/** Returns true if the engine answers after the message that begins at `start`. @param {Buffer} bytes @param {number} start */
export function endsUnit(bytes, start) {
  return bytes[start] === QUERY || bytes[start] === SYNC
}

/** Adds the refusal of `copy`, so that the engine does not wait for rows. @param {Buffer} unit */
export function withCopyRefused(unit) {
  const last = startOfLastMessage(unit)
  // A failed copy discards every Sync before the refusal, but none after it.
  const cut = unit[last] === SYNC ? last : unit.length
  return Buffer.concat([unit.subarray(0, cut), COPY_FAIL, unit.subarray(cut)])
}

/**
 * The messages are counted from the first one by their lengths, because the end of a statement's text can have the
 * bytes of any message.
 *
 * @param {Buffer} unit
 */
function startOfLastMessage(unit) {
  let last = 0
  for (let next = 0; next < unit.length; next += 1 + unit.readInt32BE(next + 1)) last = next
  return last
}

/** Writes a message: a letter, the length of what follows, and the body. @param {string} letter @param {string} body */
export function message(letter, body) {
  const bytes = Buffer.from(`${letter}size${body}`, 'latin1')
  bytes.writeInt32BE(bytes.length - 1, 1)
  return bytes
}
