// The verdicts of two readers on the bytes of an answer: our reader, and the parser of Node's HTTP client.

/**
 * The result of reading an answer. `refused`: the bytes are not valid. `incomplete`: the end is missing. `whole`: the
 * reader found the end. `whole_at_end`: the end of the connection is the end of the answer. `status` is set if the
 * head is complete.
 *
 * @typedef {object} Verdict
 * @property {'refused' | 'incomplete' | 'whole' | 'whole_at_end'} outcome
 * @property {number} [status]
 * @property {string} body in latin1
 * @property {boolean} isReusable true if the connection may be used for another request
 * @property {string} [reason] the reason of a refusal
 */

/** @typedef {{ onHeaders(status: number): void, onData(bytes: Buffer): void }} Handler */
/** @typedef {{ read(bytes: Buffer): number | undefined, end(): boolean }} Reader */

/**
 * @param {new (handler: Handler) => Reader} AnswerReader
 * @param {readonly Buffer[]} chunks
 * @returns {Verdict}
 */
export function verdictOfOurs(AnswerReader, chunks) {
  /** @type {Verdict} */
  const verdict = { outcome: 'incomplete', body: '', isReusable: false }
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
      if (keep_ms !== undefined) return { ...verdict, outcome: 'whole', isReusable: keep_ms > 0 }
    }
    return reader.end() ? { ...verdict, outcome: 'whole_at_end' } : verdict
  } catch (error) {
    return { ...verdict, outcome: 'refused', reason: String(/** @type {Error} */ (error).message) }
  }
}

// This class of Node is internal. No public function of Node parses an answer without a socket.
/** @type {any} */
const { HTTPParser } = /** @type {any} */ (process).binding('http_parser')
const HEAD_MAX = 16 * 1024
const SWITCHING_PROTOCOLS = 101
/** The values that Node's client returns to its parser after a head. */
const READ_BODY = 0
const SKIP_BODY = 1
const UPGRADE = 2

/**
 * Reads an answer as `http.request` does, with Node's default limits and strictness.
 *
 * @param {readonly Buffer[]} chunks
 * @returns {Verdict}
 */
export function verdictOfNode(chunks) {
  const parser = openParser()
  try {
    return readAnswer(parser, chunks)
  } finally {
    parser.close()
  }
}

/** @param {ReturnType<typeof openParser>} parser @param {readonly Buffer[]} chunks @returns {Verdict} */
function readAnswer(parser, chunks) {
  const { verdict } = parser
  for (const [at, chunk] of chunks.entries()) {
    const reason = parser.read(chunk)
    if (parser.isWhole()) {
      const isLast = endsWith(chunks.slice(0, at), chunk)
      return { ...verdict, outcome: 'whole', isReusable: parser.keepsAlive() && isLast }
    }
    if (reason) return { ...verdict, outcome: 'refused', reason }
  }
  const reason = parser.finish()
  if (parser.isWhole()) return { ...verdict, outcome: 'whole_at_end' }
  return reason?.startsWith('HPE_INVALID_EOF') === false
    ? { ...verdict, outcome: 'refused', reason }
    : verdict
}

/** Returns true if the answer ends with the last byte of this chunk, so that no bytes follow it. */
function endsWith(/** @type {Buffer[]} */ before, /** @type {Buffer} */ chunk) {
  const parser = openParser()
  if (before.length > 0) parser.read(Buffer.concat(before))
  if (chunk.length > 1) parser.read(chunk.subarray(0, -1))
  parser.close()
  return !parser.isWhole()
}

function openParser() {
  /** @type {Verdict} */
  const verdict = { outcome: 'incomplete', body: '', isReusable: false }
  const parser = new HTTPParser()
  let isInterim = false
  let isWhole = false
  let isKeepAlive = false
  let isUpgraded = false
  parser.initialize(HTTPParser.RESPONSE, {}, HEAD_MAX)
  parser[HTTPParser.kOnHeadersComplete] = (/** @type {unknown[]} */ ...head) => {
    const [, , , , , status, , upgrade, keepAlive] = /** @type {any[]} */ (head)
    if (isWhole) return READ_BODY
    if (status === SWITCHING_PROTOCOLS || upgrade) {
      isUpgraded = true
      return UPGRADE
    }
    isInterim = status < 200
    if (isInterim) return SKIP_BODY
    verdict.status = status
    isKeepAlive = keepAlive
    return READ_BODY
  }
  parser[HTTPParser.kOnBody] = (/** @type {Buffer} */ bytes) => {
    if (!isWhole) verdict.body += bytes.toString('latin1')
  }
  parser[HTTPParser.kOnMessageComplete] = () => {
    if (!isInterim) isWhole = true
  }
  const reasonOf = (/** @type {any} */ result) => {
    if (isUpgraded) return 'upgrade'
    return result instanceof Error ? `${/** @type {any} */ (result).code}` : undefined
  }
  return {
    verdict,
    isWhole: () => isWhole && !isUpgraded,
    keepsAlive: () => isKeepAlive,
    read: (/** @type {Buffer} */ chunk) => reasonOf(parser.execute(chunk)),
    finish: () => reasonOf(parser.finish()),
    /** Frees the memory of the parser, which the garbage collector does not free. */
    close: () => parser.close(),
  }
}
