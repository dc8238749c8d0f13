// Prints JSON Schema as TypeScript, for the SDKs.

/** @typedef {Record<string, any>} Schema */

const LINE_MAX = 100
/** Maximum length of an object on one line, if its fields have no descriptions. */
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
  return unionOf(types.map((type) => plainOf({ ...schema, type }, indent)))
}

/** @param {Schema} schema @param {string} indent @returns {string} */
function plainOf(schema, indent) {
  if (schema.type === 'integer') return 'number'
  if (schema.format === 'binary') return 'Blob'
  if (schema.type === 'array') return `${bracketed(typeOf(schema.items ?? {}, indent))}[]`
  if (schema.type === 'object') return objectOf(schema, indent)
  return schema.type
}

/** @param {string[]} types */
const unionOf = (types) => [...new Set(types)].join(' | ')

/** @param {string} type A union outside of an object. */
const bracketed = (type) => (/^[^{]*\|/.test(type) ? `(${type})` : type)

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
  const isBare = names.every((name) => aboutOf(properties[name]) === '')
  if (isBare) {
    const fields = names.map((name) =>
      fieldOf(required.includes(name) ? name : `${name}?`, properties[name], ''),
    )
    const line = `{ ${fields.join('; ')} }`
    if (indent.length + line.length <= SHORT_MAX && !line.includes('\n')) return line
  }
  const lines = names.flatMap((name) => [
    ...commentOf([aboutOf(properties[name])], inner),
    fieldOf(required.includes(name) ? name : `${name}?`, properties[name], inner),
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

/** @param {Schema} schema */
export const aboutOf = ({ description = '', default: preset }) =>
  preset === undefined || preset === null
    ? description
    : `${description} Default \`${JSON.stringify(preset)}\`.`.trim()

/**
 * A doc comment of these paragraphs; empty if there are none.
 *
 * @param {string[]} paragraphs
 * @param {string} indent
 * @returns {string[]} lines
 */
export function commentOf(paragraphs, indent) {
  const texts = paragraphs
    .filter((text) => text !== '')
    .map((text) => text.replaceAll('*/', '*\\/'))
  const [only = ''] = texts
  if (texts.length === 0) return []
  const isShort = !only.includes('\n') && indent.length + only.length + 7 <= LINE_MAX
  if (texts.length === 1 && isShort) return [`${indent}/** ${only} */`]
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
