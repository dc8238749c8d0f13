// Describes schemas of our OpenAPI documents in a few words: `integer 0..100`, `string 1..128`, `list of Product`.

/**
 * @typedef {{
 *   $ref?: string, type?: string | string[], const?: unknown, enum?: unknown[], format?: string, pattern?: string,
 *   minLength?: number, maxLength?: number, minimum?: number, maximum?: number, exclusiveMinimum?: number,
 *   minItems?: number, maxItems?: number, maxProperties?: number, items?: Schema, additionalProperties?: Schema | boolean,
 *   properties?: Record<string, Schema>, required?: string[], anyOf?: Schema[], oneOf?: Schema[], allOf?: Schema[],
 * }} Schema
 */

/** @param {number | string | undefined} from @param {number | undefined} to */
function range(from, to) {
  if (from === undefined && to === undefined) return ''
  if (from === to) return ` ${from}`
  return ` ${from ?? ''}..${to ?? ''}`
}

/** Escapes `|`, which would end the cell of a table. @param {string} text */
const escapeCell = (text) => text.replaceAll('|', '\\|')

/** @param {unknown} value */
const literal = (value) => JSON.stringify(value)

/** @param {Schema} schema @returns {string} */
function typeOf(schema) {
  if (schema.$ref) return schema.$ref.split('/').at(-1) ?? ''
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.enum) {
    return schema.enum
      .filter((value) => value !== null)
      .map(literal)
      .join(' or ')
  }
  if (schema.allOf) return schema.allOf.map(typeOf).join(' with ')
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives) {
    return [...new Set(alternatives.filter(({ type }) => type !== 'null').map(typeOf))].join(' or ')
  }
  const [type = 'any'] = [schema.type ?? []].flat().filter((name) => name !== 'null')
  return (DESCRIBERS[type] ?? numberOf)(schema, type)
}

/** @type {Record<string, (schema: Schema) => string>} */
const DESCRIBERS = { array: listOf, object: objectOf, string: textOf }

/** @param {Schema} schema */
function listOf({ minItems, maxItems, items }) {
  const length = range(minItems, maxItems).trim()
  return `list${length && ` (${length})`} of ${items ? nullableTypeOf(items) : 'any'}`
}

/** @param {Schema} schema */
function textOf({ format = 'string', minLength, maxLength, pattern }) {
  return `${format}${range(minLength, maxLength)}${pattern ? ` matching ${pattern}` : ''}`
}

/** @param {Schema} schema @param {string} type */
function numberOf({ minimum, exclusiveMinimum, maximum }, type) {
  const from = exclusiveMinimum === undefined ? minimum : `>${exclusiveMinimum}`
  return `${type}${range(from, maximum)}`
}

/** @param {Schema} schema */
function objectOf({ properties, additionalProperties, maxProperties, required = [] }) {
  if (properties) return `{ ${fieldsOf({ properties, required })} }`
  const values =
    typeof additionalProperties === 'object' ? nullableTypeOf(additionalProperties) : 'any'
  return `map${maxProperties === undefined ? '' : ` (..${maxProperties})`} of ${values}`
}

/** @param {Schema} schema */
function nullableTypeOf(schema) {
  const types = [schema.type ?? []].flat()
  const alternatives = schema.anyOf ?? schema.oneOf ?? []
  const isNullable =
    types.includes('null') ||
    schema.enum?.includes(null) ||
    alternatives.some(({ type }) => type === 'null')
  return typeOf(schema) + (isNullable ? ' or null' : '')
}

/** Lists the fields of an object with their types. `?` marks optional fields. @param {Schema} schema @returns {string} */
export const fieldsOf = ({ properties = {}, required = [] }) =>
  Object.entries(properties)
    .map(
      ([name, schema]) => `${name}${required.includes(name) ? '' : '?'}: ${nullableTypeOf(schema)}`,
    )
    .join('; ')

/** @param {Schema} schema */
export const describe = (schema) =>
  escapeCell(schema.properties ? fieldsOf(schema) : nullableTypeOf(schema))
