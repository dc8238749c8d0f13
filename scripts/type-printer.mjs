// Prints JSON Schema as TypeScript, for the client and the dashboard.

/** @typedef {Record<string, any>} Schema */

const LINE_MAX = 100
/** The maximum length of an object on one line. An object whose fields have descriptions takes several lines. */
const SHORT_MAX = 60

/**
 * @param {Schema} schema
 * @param {string} indent of the first line of the type
 * @returns {string}
 */
export function typeOf(schema, indent = '') {
  if (schema.$ref) return schema.$ref.split('/').pop()
  const union = schema.anyOf ?? schema.oneOf
  if (union) return unionOf(union.map((/** @type {Schema} */ item) => typeOf(item, indent)))
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.enum) return unionOf(schema.enum.map(literal))
  const types = [schema.type ?? 'unknown'].flat()
  return unionOf(types.map((type) => singleTypeOf({ ...schema, type }, indent)))
}

/** @param {Schema} schema @param {string} indent @returns {string} */
function singleTypeOf(schema, indent) {
  if (schema.type === 'integer') return 'number'
  if (schema.format === 'binary') return 'Blob'
  if (schema.type === 'array') return `${parenthesized(typeOf(schema.items ?? {}, indent))}[]`
  if (schema.type === 'object') return objectOf(schema, indent)
  return schema.type
}

/** @param {string[]} types */
const unionOf = (types) => [...new Set(types)].join(' | ')

/** Adds parentheses to a union. @param {string} type */
const parenthesized = (type) => (/^[^{]*\|/.test(type) ? `(${type})` : type)

/** @param {unknown} value */
const literal = (value) =>
  typeof value === 'string'
    ? `'${value.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`
    : String(value)

/** @param {Schema} schema @param {string} indent */
function objectOf({ properties, additionalProperties, required = [] }, indent) {
  if (!properties) return `Record<string, ${typeOf(additionalProperties || {}, indent)}>`
  const names = Object.keys(properties)
  if (names.length === 0) return 'Record<string, never>'
  const inner = `${indent}  `
  const keyOf = (/** @type {string} */ name) => (required.includes(name) ? name : `${name}?`)
  const hasNoDescriptions = names.every((name) => descriptionOf(properties[name]) === '')
  if (hasNoDescriptions) {
    const fields = names.map((name) => fieldOf(keyOf(name), properties[name], ''))
    const line = `{ ${fields.join('; ')} }`
    if (indent.length + line.length <= SHORT_MAX && !line.includes('\n')) return line
  }
  const lines = names.flatMap((name) => [
    ...commentOf([descriptionOf(properties[name])], inner),
    fieldOf(keyOf(name), properties[name], inner),
  ])
  return `{\n${lines.join('\n')}\n${indent}}`
}

/** @param {string} name @param {Schema} schema @param {string} indent */
function fieldOf(name, schema, indent) {
  const line = `${indent}${name}: ${typeOf(schema, indent)}`
  const values = schema.enum ?? schema.items?.enum
  if (line.length <= LINE_MAX || !values) return line
  const lines = values
    .map((/** @type {unknown} */ item) => `${indent}  | ${literal(item)}`)
    .join('\n')
  return schema.enum ? `${indent}${name}:\n${lines}` : `${indent}${name}: (\n${lines}\n${indent})[]`
}

/** Returns the description of a field with its default. @param {Schema} schema */
export const descriptionOf = ({ description = '', default: preset }) =>
  preset === undefined || preset === null
    ? description
    : `${description} Default \`${JSON.stringify(preset)}\`.`.trim()

/**
 * Returns the lines of a doc comment with these paragraphs, or no lines if all are empty.
 *
 * @param {string[]} paragraphs
 * @param {string} indent
 * @returns {string[]}
 */
export function commentOf(paragraphs, indent) {
  const texts = paragraphs
    .filter((text) => text !== '')
    .map((text) => text.replaceAll('*/', '*\\/'))
  const [first, ...others] = texts
  if (first === undefined) return []
  const singleLine = `${indent}/** ${first} */`
  if (others.length === 0 && !first.includes('\n') && singleLine.length <= LINE_MAX)
    return [singleLine]
  const lines = texts.flatMap((text, n) => [
    ...(n > 0 && !text.startsWith('@') ? [''] : []),
    ...text.split('\n').flatMap((line) => wrap(line, LINE_MAX - indent.length - 3)),
  ])
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`]
}

/** @param {string} text @param {number} width */
export function wrap(text, width) {
  const lines = ['']
  for (const word of text.split(' ')) {
    const last = lines[lines.length - 1]
    if (last && last.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = last ? `${last} ${word}` : word
  }
  return lines
}
