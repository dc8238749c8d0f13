// Describes schemas of our OpenAPI documents in a few words: `integer 0..100`, `string 1..128`, `list of Product`.

/**
 * @typedef {{
 *   $ref?: string, type?: string | string[], const?: unknown, enum?: unknown[], format?: string, pattern?: string,
 *   minLength?: number, maxLength?: number, minimum?: number, maximum?: number, exclusiveMinimum?: number,
 *   minItems?: number, maxItems?: number, maxProperties?: number, items?: Schema, additionalProperties?: Schema | boolean,
 *   properties?: Record<string, Schema>, required?: string[], anyOf?: Schema[], oneOf?: Schema[], allOf?: Schema[],
 * }} Schema
 */

/** @param {number | undefined} from @param {number | undefined} to */
function range(from, to) {
  if (from === undefined && to === undefined) return ''
  if (from === to) return ` ${from}`
  return ` ${from ?? ''}..${to ?? ''}`
}

/** Texts with `|` would end the cell of a table. @param {string} text */
const inCell = (text) => text.replaceAll('|', '\\|')

/** @param {Schema} schema @returns {string} */
function typeOf(schema) {
  const types = [schema.type ?? []].flat()
  const [type = 'any'] = types.filter((name) => name !== 'null')
  const alternatives = schema.anyOf ?? schema.oneOf
  if (schema.$ref) return schema.$ref.split('/').at(-1) ?? ''
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) {
    return schema.enum
      .filter((value) => value !== null)
      .map((value) => JSON.stringify(value))
      .join(' or ')
  }
  if (alternatives) {
    return [...new Set(alternatives.filter(({ type }) => type !== 'null').map(typeOf))].join(' or ')
  }
  if (schema.allOf) return schema.allOf.map(typeOf).join(' with ')
  if (type === 'array') {
    const length = range(schema.minItems, schema.maxItems)
    return `list${length && ` (${length.trim()})`} of ${schema.items ? nullable(schema.items) : 'any'}`
  }
  if (type === 'object') return objectOf(schema)
  if (type === 'string') {
    const pattern = schema.pattern ? ` matching ${schema.pattern}` : ''
    return `${schema.format ?? 'string'}${range(schema.minLength, schema.maxLength)}${pattern}`
  }
  const from =
    schema.minimum ??
    (schema.exclusiveMinimum === undefined ? undefined : `>${schema.exclusiveMinimum}`)
  return `${type}${range(/** @type {number | undefined} */ (from), schema.maximum)}`
}

/** @param {Schema} schema */
function objectOf({ properties, additionalProperties, maxProperties, required = [] }) {
  if (properties) return `{ ${fieldsOf({ properties, required })} }`
  const values = typeof additionalProperties === 'object' ? nullable(additionalProperties) : 'any'
  return `map${maxProperties === undefined ? '' : ` (..${maxProperties})`} of ${values}`
}

/** @param {Schema} schema */
function nullable(schema) {
  const types = [schema.type ?? []].flat()
  const alternatives = schema.anyOf ?? schema.oneOf ?? []
  const isNullable =
    types.includes('null') ||
    schema.enum?.includes(null) ||
    alternatives.some(({ type }) => type === 'null')
  return typeOf(schema) + (isNullable ? ' or null' : '')
}

/** The fields of an object with their types; `?` marks those that may be absent. @param {Schema} schema @returns {string} */
export const fieldsOf = ({ properties = {}, required = [] }) =>
  Object.entries(properties)
    .map(([name, schema]) => `${name}${required.includes(name) ? '' : '?'}: ${nullable(schema)}`)
    .join('; ')

/** @param {Schema} schema */
export const describe = (schema) => inCell(schema.properties ? fieldsOf(schema) : nullable(schema))
