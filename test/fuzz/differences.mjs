// The cases in which our reader differs from Node's on purpose. Any other difference is a fault.
//
// One rule has no exception: a connection is used again only where Node's parser found the same answer,
// with the same end and nothing behind it, and would use it again too. What is behind an answer that two
// readers end at different places could be taken for the next one.

/** @typedef {import('./verdicts.mjs').Verdict} Verdict */

/** @typedef {{ ours: Verdict, node: Verdict, text: string }} Case */

/**
 * @typedef {object} Difference
 * @property {string} name
 * @property {string} why
 * @property {(found: Case) => boolean} fits
 */

/** @param {Case} found */
const bothAccept = ({ ours, node }) => ours.outcome !== 'refused' && node.outcome !== 'refused'

/** @param {Case} found */
const oursRefuses = ({ ours, node }) =>
  ours.outcome === 'refused' && (node.outcome !== 'refused' || ours.status === undefined)

/** Node refuses what ours reads on, perhaps to refuse what comes later. @param {Case} found */
const nodeRefuses = ({ ours, node }) =>
  node.outcome === 'refused' && (ours.outcome !== 'refused' || ours.status !== undefined)

/**
 * @param {string[]} codes of Node's parser
 * @param {RegExp} text what the answer has then
 */
const lenient = (codes, text) => (/** @type {Case} */ found) =>
  nodeRefuses(found) && codes.includes(found.node.why ?? '') && text.test(found.text)

/** @param {RegExp} text */
const strict = (text) => (/** @type {Case} */ found) => oursRefuses(found) && text.test(found.text)

const NOT_PLAIN = /[^\t\r\n -~\x80-\xff]/
const CODING = /transfer-encoding[ \t]*:/i

/** @type {Difference[]} */
export const DIFFERENCES = [
  {
    name: 'closes_sooner',
    why: 'Both read the same answer; ours does not use its connection again, because of a chunk extension, a trailer field, a length where no body can be, or a list of codings.',
    fits: (found) =>
      bothAccept(found) &&
      found.ours.outcome === found.node.outcome &&
      found.ours.body === found.node.body &&
      found.ours.status === found.node.status,
  },
  {
    name: 'judged_when_whole',
    why: 'Ours judges a head, and a line of chunks, when it is whole; until then only the deadline ends it.',
    fits: ({ ours, node }) => ours.outcome === 'incomplete' && node.outcome === 'refused',
  },
  // Stricter.
  {
    name: 'other_version',
    why: 'Only HTTP/1.0 and HTTP/1.1 are answers, not other versions, nor ICE and RTSP, which Node knows too.',
    fits: strict(/(?:^|\n)(?:HTTP\/(?!1\.[01] )|[IR])/),
  },
  {
    name: 'bare_cr',
    why: 'A CR without LF ends no line.',
    fits: ({ ours, node, text }) =>
      ['refused', 'incomplete'].includes(ours.outcome) &&
      (node.outcome !== 'refused' || ours.status === undefined) &&
      /\r(?!\n)/.test(text),
  },
  {
    name: 'empty_line_before',
    why: 'An empty line is no beginning of an answer.',
    fits: strict(/(?:^|\n)\r?\n/),
  },
  {
    name: 'huge_chunk',
    why: 'A chunk of 2^48 bytes or more is nobody’s webhook.',
    fits: strict(/[\da-f]{13}/i),
  },
  // More lenient, as RFC 9112 and RFC 9110 allow, and never followed by another request.
  {
    name: 'bare_lf',
    why: 'A recipient may take a bare LF for the end of a line (RFC 9112, section 2.2).',
    fits: lenient(
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
    why: 'A folded value is one value (RFC 9112, section 5.2).',
    fits: lenient(
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
    why: 'The coding overrides a length beside it (RFC 9112, section 6.3).',
    fits: (found) =>
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
    why: 'Several lengths that are equal are one (RFC 9112, section 6.3); so are tabs around one.',
    fits: lenient(
      ['HPE_INVALID_CONTENT_LENGTH', 'HPE_UNEXPECTED_CONTENT_LENGTH'],
      /content-length:[\t ]*\d+[\t ]*(?:,|\t|[\s\S]*content-length:)/i,
    ),
  },
  {
    name: 'interim_closes',
    why: 'An interim answer that says it closes is passed over like any other.',
    fits: lenient(['HPE_CLOSED_CONNECTION'], /HTTP\/1\.[01] 1\d\d/),
  },
  {
    name: 'chunk_line',
    why: 'Spaces behind a chunk’s length and whatever its extension says are passed over.',
    fits: lenient(
      ['HPE_INVALID_CHUNK_SIZE', 'HPE_STRICT', 'HPE_CR_EXPECTED', 'HPE_LF_EXPECTED'],
      CODING,
    ),
  },
  {
    name: 'trailer_field',
    why: 'What trailer fields say is not read.',
    fits: (found) =>
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
    why: 'A recipient may keep control characters in a value (RFC 9110, section 5.5).',
    fits: lenient(
      ['HPE_INVALID_HEADER_TOKEN', 'HPE_STRICT', 'HPE_INVALID_CONTENT_LENGTH'],
      NOT_PLAIN,
    ),
  },
  {
    name: 'tab_behind_coding',
    why: 'A tab around a value does not belong to it (RFC 9110, section 5.5).',
    fits: ({ ours, node, text }) =>
      ours.status === node.status &&
      node.outcome === 'whole_at_end' &&
      /transfer-encoding:[^\n]*chunked *\t/i.test(text),
  },
  {
    name: 'empty_coding',
    why: 'An empty element of a list counts for nothing (RFC 9110, section 5.6.1).',
    fits: ({ text }) => /transfer-encoding:(?:[^\n]*,)?[\t ]*(?:,|\r?\n)/i.test(text),
  },
]

const isSame = (/** @type {Verdict} */ ours, /** @type {Verdict} */ node) =>
  ours.outcome === node.outcome &&
  ours.status === node.status &&
  ours.reuse === node.reuse &&
  (ours.outcome === 'refused' || ours.body === node.body)

/**
 * The name of the difference, `same`, or `fault`.
 *
 * @param {Case} found
 * @returns {string}
 */
export function judge(found) {
  const { ours, node } = found
  if (isSame(ours, node)) return 'same'
  if (ours.reuse) return 'fault'
  return DIFFERENCES.find(({ fits }) => fits(found))?.name ?? 'fault'
}
