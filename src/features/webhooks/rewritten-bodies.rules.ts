interface RewrittenBody {
  /** The change that a receiver made, as the end of a sentence about the body. */
  change: string
  text: string
}

/** Returns the texts that a body may become if a receiver parses and serializes it, with the causes. */
export function rewrittenBodies(body: string): RewrittenBody[] {
  const serializedBy = (serializer: string) =>
    `was parsed and serialized again, as by ${serializer}`
  const serializedWith = (format: string) => `was parsed and serialized again, ${format}`
  const value: unknown = JSON.parse(body)
  const rewrites = [
    {
      change: serializedBy("Python's json.dumps"),
      text: serialize(value, { gap: ' ', escapeText: asciiOnly }),
    },
    {
      change: serializedBy("Python's json.dumps with ensure_ascii=False"),
      text: serialize(value, { gap: ' ' }),
    },
    {
      change: serializedBy("PHP's json_encode"),
      text: asciiOnly(JSON.stringify(value)).replaceAll('/', '\\/'),
    },
    {
      change: serializedBy("Go's json.Marshal"),
      text: serialize(value, { sortKeys: true, escapeText: htmlSafe }),
    },
    { change: serializedWith('with sorted keys'), text: sortedJson(value) },
    { change: serializedWith('indented by two spaces'), text: JSON.stringify(value, null, 2) },
    { change: serializedWith('indented by four spaces'), text: JSON.stringify(value, null, 4) },
    { change: 'was encoded as a JSON string', text: JSON.stringify(body) },
    { change: 'got a line break at its end', text: `${body}\n` },
  ]
  return rewrites.filter(({ text }) => text !== body)
}

/** Returns a value as JSON with sorted keys. */
export const sortedJson = (value: unknown): string => serialize(value, { sortKeys: true })

interface Style {
  /** The white space after each comma and colon. */
  gap?: string
  sortKeys?: boolean
  escapeText?: (text: string) => string
}

function serialize(value: unknown, style: Style): string {
  const { gap = '', sortKeys = false, escapeText = (text) => text } = style
  const leaf = (item: unknown) => escapeText(JSON.stringify(item))
  if (Array.isArray(value)) {
    return `[${value.map((item) => serialize(item, style)).join(`,${gap}`)}]`
  }
  if (typeof value !== 'object' || value === null) return leaf(value)
  const entries = Object.entries(value)
  if (sortKeys) entries.sort(([left], [right]) => (left < right ? -1 : 1))
  return `{${entries.map(([key, item]) => `${leaf(key)}:${gap}${serialize(item, style)}`).join(`,${gap}`)}}`
}

const unicodeEscape = (character: string) =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
const asciiOnly = (text: string): string => text.replaceAll(/[\u007f-\uffff]/g, unicodeEscape)
const htmlSafe = (text: string): string => text.replaceAll(/[<>&\u2028\u2029]/g, unicodeEscape)
