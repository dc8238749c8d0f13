// The cases in which our reader of answers differs from Node's parser on purpose. Any other difference is a fault.
//
// One rule has no exception: our reader uses a connection again only if Node's parser finds the same answer with the
// same end and no bytes after it, and would also use the connection again. If two readers find different ends of an
// answer, the bytes between could be read as the next answer.

/** @typedef {import('./verdicts.mjs').Verdict} Verdict */

/** @typedef {{ ours: Verdict, node: Verdict, text: string }} Case */

/**
 * @typedef {object} Difference
 * @property {string} name
 * @property {string} reason
 * @property {(found: Case) => boolean} matches
 */

/** @param {Case} found */
const bothAccept = ({ ours, node }) => ours.outcome !== 'refused' && node.outcome !== 'refused'

/** @param {Case} found */
const oursRefuses = ({ ours, node }) =>
  ours.outcome === 'refused' && (node.outcome !== 'refused' || ours.status === undefined)

/** Node's parser refuses an answer at a byte that our reader accepts. Ours may refuse a later byte. @param {Case} found */
const nodeRefuses = ({ ours, node }) =>
  node.outcome === 'refused' && (ours.outcome !== 'refused' || ours.status !== undefined)

/**
 * Returns a condition: our reader is more lenient, and the answer matches the pattern.
 *
 * @param {string[]} codes the possible error codes of Node's parser
 * @param {RegExp} pattern
 */
const lenient = (codes, pattern) => (/** @type {Case} */ found) =>
  nodeRefuses(found) && codes.includes(found.node.reason ?? '') && pattern.test(found.text)

/** Returns a condition: our reader is stricter, and the answer matches the pattern. @param {RegExp} pattern */
const strict = (pattern) => (/** @type {Case} */ found) =>
  oursRefuses(found) && pattern.test(found.text)

const CONTROL_CHARACTER = /[^\t\r\n -~\x80-\xff]/
const CODING = /transfer-encoding[ \t]*:/i

/** @type {Difference[]} */
export const DIFFERENCES = [
  {
    name: 'closes_sooner',
    reason:
      'Both read the same answer. Ours does not use the connection again if the answer has a chunk extension, a trailer field, a length although it can have no body, or several codings.',
    matches: (found) =>
      bothAccept(found) &&
      found.ours.outcome === found.node.outcome &&
      found.ours.body === found.node.body &&
      found.ours.status === found.node.status,
  },
  {
    name: 'checked_when_complete',
    reason:
      'Ours checks a head or the line of a chunk once it is complete. An incomplete one is ended by the deadline only.',
    matches: ({ ours, node }) => ours.outcome === 'incomplete' && node.outcome === 'refused',
  },
  // In the following cases ours is stricter.
  {
    name: 'other_version',
    reason:
      'Ours accepts HTTP/1.0 and HTTP/1.1 only. Node also accepts other versions, ICE and RTSP.',
    matches: strict(/(?:^|\n)(?:HTTP\/(?!1\.[01] )|[IR])/),
  },
  {
    name: 'bare_cr',
    reason: 'In ours, a CR without LF does not end a line.',
    matches: ({ ours, node, text }) =>
      ['refused', 'incomplete'].includes(ours.outcome) &&
      (node.outcome !== 'refused' || ours.status === undefined) &&
      /\r(?!\n)/.test(text),
  },
  {
    name: 'empty_line_before',
    reason: 'Ours refuses an answer that begins with an empty line.',
    matches: strict(/(?:^|\n)\r?\n/),
  },
  {
    name: 'huge_chunk',
    reason: 'Ours refuses a chunk of 2^48 bytes or more.',
    matches: strict(/[\da-f]{13}/i),
  },
  // In the following cases ours is more lenient, as RFC 9112 and RFC 9110 allow, and does not use the connection again.
  {
    name: 'bare_lf',
    reason: 'A recipient may accept a bare LF as the end of a line (RFC 9112, section 2.2).',
    matches: lenient(
      [
        'HPE_CR_EXPECTED',
        'HPE_INVALID_HEADER_TOKEN',
        'HPE_INVALID_STATUS',
        'HPE_INVALID_CHUNK_SIZE',
        'HPE_STRICT',
        'HPE_LF_EXPECTED',
      ],
      /(?<!\r)\n/,
    ),
  },
  {
    name: 'folded_field',
    reason: 'A value on several folded lines is one value (RFC 9112, section 5.2).',
    matches: lenient(
      [
        'HPE_UNEXPECTED_SPACE',
        'HPE_INVALID_HEADER_TOKEN',
        'HPE_INVALID_CONTENT_LENGTH',
        'HPE_INVALID_TRANSFER_ENCODING',
      ],
      /\n[\t ]/,
    ),
  },
  {
    name: 'length_and_coding',
    reason: 'A transfer coding overrides a length (RFC 9112, section 6.3).',
    matches: (found) =>
      CODING.test(found.text) &&
      lenient(
        [
          'HPE_INVALID_TRANSFER_ENCODING',
          'HPE_INVALID_CONTENT_LENGTH',
          'HPE_UNEXPECTED_CONTENT_LENGTH',
        ],
        /content-length[ \t]*:/i,
      )(found),
  },
  {
    name: 'equal_lengths',
    reason:
      'Several equal lengths count as one (RFC 9112, section 6.3), and tabs around a length are ignored.',
    matches: lenient(
      ['HPE_INVALID_CONTENT_LENGTH', 'HPE_UNEXPECTED_CONTENT_LENGTH'],
      /content-length:[\t ]*\d+[\t ]*(?:,|\t|[\s\S]*content-length:)/i,
    ),
  },
  {
    name: 'interim_closes',
    reason: 'Ours ignores `Connection: close` in an interim answer.',
    matches: lenient(['HPE_CLOSED_CONNECTION'], /HTTP\/1\.[01] 1\d\d/),
  },
  {
    name: 'chunk_line',
    reason: 'Ours ignores spaces after the length of a chunk, and its extensions.',
    matches: lenient(
      ['HPE_INVALID_CHUNK_SIZE', 'HPE_STRICT', 'HPE_CR_EXPECTED', 'HPE_LF_EXPECTED'],
      CODING,
    ),
  },
  {
    name: 'trailer_field',
    reason: 'Ours ignores trailer fields.',
    matches: (found) =>
      found.node.status !== undefined &&
      lenient(
        [
          'HPE_INVALID_HEADER_TOKEN',
          'HPE_INVALID_CONTENT_LENGTH',
          'HPE_INVALID_TRANSFER_ENCODING',
          'HPE_UNEXPECTED_CONTENT_LENGTH',
          'HPE_LF_EXPECTED',
          'HPE_CR_EXPECTED',
          'HPE_UNEXPECTED_SPACE',
          'HPE_HEADER_OVERFLOW',
        ],
        CODING,
      )(found),
  },
  {
    name: 'control_character',
    reason: 'A recipient may keep control characters in a value (RFC 9110, section 5.5).',
    matches: lenient(
      ['HPE_INVALID_HEADER_TOKEN', 'HPE_STRICT', 'HPE_INVALID_CONTENT_LENGTH'],
      CONTROL_CHARACTER,
    ),
  },
  {
    name: 'tab_behind_coding',
    reason: 'A tab around a value is not part of the value (RFC 9110, section 5.5).',
    matches: ({ ours, node, text }) =>
      ours.status === node.status &&
      node.outcome === 'whole_at_end' &&
      /transfer-encoding:[^\n]*chunked *\t/i.test(text),
  },
  {
    name: 'empty_coding',
    reason: 'An empty element of a list is ignored (RFC 9110, section 5.6.1).',
    matches: ({ text }) => /transfer-encoding:(?:[^\n]*,)?[\t ]*(?:,|\r?\n)/i.test(text),
  },
]

const isSame = (/** @type {Verdict} */ ours, /** @type {Verdict} */ node) =>
  ours.outcome === node.outcome &&
  ours.status === node.status &&
  ours.isReusable === node.isReusable &&
  (ours.outcome === 'refused' || ours.body === node.body)

/**
 * Returns the name of the listed difference, or `same`, or `fault`.
 *
 * @param {Case} found
 * @returns {string}
 */
export function classify(found) {
  const { ours, node } = found
  if (isSame(ours, node)) return 'same'
  if (ours.isReusable) return 'fault'
  return DIFFERENCES.find(({ matches }) => matches(found))?.name ?? 'fault'
}
