// The verdicts of two readers on the answer to one request: ours, and the parser of Node's HTTP client.

/**
 * `refused`: it is not HTTP. `incomplete`: it breaks off. `whole`: its end was found. `whole_at_end`:
 * the end of the connection is its end. `status` and `framing` are known once the head is complete.
 *
 * @typedef {object} Verdict
 * @property {'refused' | 'incomplete' | 'whole' | 'whole_at_end'} outcome
 * @property {number} [status]
 * @property {string} body in latin1
 * @property {boolean} reuse whether the connection may carry another request
 * @property {string} [why] of a refusal
 */

/** @typedef {{ onHeaders(status: number): void, onData(bytes: Buffer): void }} Hearer */
/** @typedef {{ read(bytes: Buffer): number | undefined, end(): boolean }} Reader */

/**
 * @param {new (hearer: Hearer) => Reader} AnswerReader
 * @param {readonly Buffer[]} chunks
 * @returns {Verdict}
 */
export function verdictOfOurs(AnswerReader, chunks) {
  /** @type {Verdict} */
  const verdict = { outcome: 'incomplete', body: '', reuse: false }
  const reader = new AnswerReader({
    onHeaders(status) {
      if (status >= 200) verdict.status = status
    },
    onData(bytes) {
      verdict.body += bytes.toString('latin1')
    },
  })
  try {
    for (const chunk of chunks) {
      const keep_ms = reader.read(chunk)
      if (keep_ms !== undefined) return { ...verdict, outcome: 'whole', reuse: keep_ms > 0 }
    }
    return reader.end() ? { ...verdict, outcome: 'whole_at_end' } : verdict
  } catch (error) {
    return { ...verdict, outcome: 'refused', why: String(/** @type {Error} */ (error).message) }
  }
}

// The class is internal to Node, and the only way to ask its parser without a socket.
/** @type {any} */
const { HTTPParser } = /** @type {any} */ (process).binding('http_parser')
const HEAD_MAX = 16 * 1024
const SWITCHING_PROTOCOLS = 101
/** The values that Node's client returns to its parser for an interim answer, and for any other. */
const SKIP_BODY = 1
const READ_BODY = 0

/**
 * As `http.request` uses it, with the sizes and the strictness that Node has by default.
 *
 * @param {readonly Buffer[]} chunks
 * @returns {Verdict}
 */
export function verdictOfNode(chunks) {
  const parser = openParser()
  try {
    return readWith(parser, chunks)
  } finally {
    parser.close()
  }
}

/** @param {ReturnType<typeof openParser>} parser @param {readonly Buffer[]} chunks @returns {Verdict} */
function readWith(parser, chunks) {
  const { verdict } = parser
  for (const [at, chunk] of chunks.entries()) {
    const why = parser.read(chunk)
    if (parser.isWhole()) {
      const isLast = endsWith(chunks.slice(0, at), chunk)
      return { ...verdict, outcome: 'whole', reuse: parser.keepsAlive() && isLast }
    }
    if (why) return { ...verdict, outcome: 'refused', why }
  }
  const why = parser.finish()
  if (parser.isWhole()) return { ...verdict, outcome: 'whole_at_end' }
  return why?.startsWith('HPE_INVALID_EOF') === false
    ? { ...verdict, outcome: 'refused', why }
    : verdict
}

/** Returns true if the answer that this chunk completes ends with its last byte. */
function endsWith(/** @type {Buffer[]} */ before, /** @type {Buffer} */ chunk) {
  const parser = openParser()
  if (before.length > 0) parser.read(Buffer.concat(before))
  if (chunk.length > 1) parser.read(chunk.subarray(0, -1))
  parser.close()
  return !parser.isWhole()
}

function openParser() {
  /** @type {Verdict} */
  const verdict = { outcome: 'incomplete', body: '', reuse: false }
  const parser = new HTTPParser()
  let isInterim = false
  let isWhole = false
  let isKept = false
  let isUpgraded = false
  parser.initialize(HTTPParser.RESPONSE, {}, HEAD_MAX)
  parser[HTTPParser.kOnHeadersComplete] = (/** @type {unknown[]} */ ...found) => {
    const [, , , , , status, , upgrade, keepAlive] = /** @type {any[]} */ (found)
    if (isWhole) return READ_BODY
    if (status === SWITCHING_PROTOCOLS || upgrade) {
      isUpgraded = true
      return 2
    }
    isInterim = status < 200
    if (isInterim) return SKIP_BODY
    verdict.status = status
    isKept = keepAlive
    return READ_BODY
  }
  parser[HTTPParser.kOnBody] = (/** @type {Buffer} */ bytes) => {
    if (!isWhole) verdict.body += bytes.toString('latin1')
  }
  parser[HTTPParser.kOnMessageComplete] = () => {
    if (!isInterim) isWhole = true
  }
  const whyOf = (/** @type {any} */ result) => {
    if (isUpgraded) return 'upgrade'
    return result instanceof Error ? `${/** @type {any} */ (result).code}` : undefined
  }
  return {
    verdict,
    isWhole: () => isWhole && !isUpgraded,
    keepsAlive: () => isKept,
    read: (/** @type {Buffer} */ chunk) => whyOf(parser.execute(chunk)),
    finish: () => whyOf(parser.finish()),
    /** Its memory is not the garbage collector's. */
    close: () => parser.close(),
  }
}
