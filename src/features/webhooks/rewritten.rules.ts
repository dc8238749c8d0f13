/**
 * The forms that a body may have after a receiver parsed and serialized it: the program, and the
 * text.
 */
export function rewrittenBodies(body: string): { by: string; text: string }[] {
  const value: unknown = JSON.parse(body)
  const rewritten = [
    { by: "Python's json.dumps", text: written(value, { gap: ' ', escaped: asciiOnly }) },
    { by: "Python's json.dumps with ensure_ascii=False", text: written(value, { gap: ' ' }) },
    { by: "PHP's json_encode", text: asciiOnly(JSON.stringify(value)).replaceAll('/', '\\/') },
    { by: "Go's json.Marshal", text: written(value, { sorted: true, escaped: htmlSafe }) },
    { by: 'a writer that sorts the keys', text: sortedJson(value) },
    { by: 'a writer that indents by two spaces', text: JSON.stringify(value, null, 2) },
    { by: 'a writer that indents by four spaces', text: JSON.stringify(value, null, 4) },
    { by: 'a writer that makes a string of the string', text: JSON.stringify(body) },
    { by: 'a line break at its end', text: `${body}\n` },
  ]
  return rewritten.filter(({ text }) => text !== body)
}

/** The value as JSON with its keys in order. */
export const sortedJson = (value: unknown): string => written(value, { sorted: true })

interface Style {
  /** The white space after each comma and colon. */
  gap?: string
  sorted?: boolean
  escaped?: (text: string) => string
}

function written(value: unknown, style: Style): string {
  const { gap = '', sorted = false, escaped = (text) => text } = style
  const leaf = (item: unknown) => escaped(JSON.stringify(item))
  if (Array.isArray(value)) {
    return `[${value.map((item) => written(item, style)).join(`,${gap}`)}]`
  }
  if (typeof value !== 'object' || value === null) return leaf(value)
  const entries = Object.entries(value)
  if (sorted) entries.sort(([value], [other]) => (value < other ? -1 : 1))
  return `{${entries.map(([key, value]) => `${leaf(key)}:${gap}${written(value, style)}`).join(`,${gap}`)}}`
}

const code = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
const asciiOnly = (text: string): string => text.replaceAll(/[\u007f-\uffff]/g, code)
const htmlSafe = (text: string): string => text.replaceAll(/[<>&\u2028\u2029]/g, code)
