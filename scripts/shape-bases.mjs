// Finds shapes that can extend another shape, so that no field is printed twice.
import { descriptionOf, typeOf, wrap } from './type-printer.mjs'

/** @typedef {Record<string, any>} Json */
/**
 * @typedef {object} PrintedShape
 * @property {string | undefined} base the TypeScript expression that the shape extends
 * @property {Json} rest the schema of the fields that the base does not have
 */

/** The minimum number of equal fields for which a patch extends its record. Fewer fields are printed again. */
const PICKED_MIN = 3
const PAGE = 'PageQuery'

/** Returns the noun of a shape: `Group` for `GroupInput` and `GroupPatch`. @param {string} name */
const nounOf = (name) => name.replace(/^(Listed|Sent)|(Input|Patch)$/g, '')

/** Returns the schema of `limit` and `offset`, which all lists have. @param {Json} query @returns {Json} */
const pageOf = ({ properties }) => ({
  type: 'object',
  properties: { limit: properties.limit, offset: properties.offset },
})

/**
 * Finds the base of each shape. A base has the same noun as the shape. The shape has all fields of its base, or is
 * the patch of its base. Fields are equal if their printed types and descriptions are equal.
 *
 * @param {Map<string, Json>} shapes by name
 * @returns {Map<string, PrintedShape>}
 */
export function inherit(shapes) {
  const lists = [...shapes.values()].filter(
    ({ properties }) => properties?.limit && properties?.offset,
  )
  const all = new Map(shapes)
  if (lists.length > 1) all.set(PAGE, pageOf(/** @type {Json} */ (lists[0])))
  const printedShapes = [...all].map(([name, schema]) => {
    const [bestBase] = basesOf(name, schema, all)
    const shape = bestBase ? withoutBase(schema, bestBase) : { base: undefined, rest: schema }
    return /** @type {const} */ ([name, shape])
  })
  return new Map(printedShapes)
}

/** @typedef {{ from: string, fields: string[] }} Base */

/** Returns the possible bases of a shape: those with the most fields first, and of equal ones the shortest name. @param {string} name @param {Json} schema @param {Map<string, Json>} all @returns {Base[]} */
function basesOf(name, schema, all) {
  if (schema.type !== 'object' || !schema.properties) return []
  return [...all]
    .filter(([other, { properties }]) => properties && mayInherit(name, other))
    .sort(([item], [other]) => item.length - other.length)
    .flatMap(
      ([other, base]) => fullBase(other, schema, base) ?? patchBase(name, other, schema, base),
    )
    .sort((item, other) => other.fields.length - item.fields.length)
}

/** @param {string} name @param {string} other */
function mayInherit(name, other) {
  if (other === PAGE) return name !== PAGE && name.endsWith('Query')
  if (/(Patch|Query|Body)$/.test(other) || other === name) return false
  return nounOf(other).endsWith(nounOf(name))
}

/** Returns the shape `other` as the base if the schema has all of its fields. @param {string} other @param {Json} schema @param {Json} base */
function fullBase(other, schema, base) {
  const fields = Object.keys(base.properties)
  const hasMore = Object.keys(schema.properties).length > fields.length
  const hasAll = fields.every((field) => isSame(schema, base, field))
  // The base of two equal shapes is the one without a prefix.
  return hasAll && (hasMore || nounOf(other) === other) ? [{ from: other, fields }] : undefined
}

/** Returns the base of a patch: the fields of the record, made optional. @param {string} name @param {string} other @param {Json} schema @param {Json} base */
function patchBase(name, other, schema, base) {
  const optional = { ...base, required: [] }
  const fields = Object.keys(schema.properties).filter((field) => isSame(schema, optional, field))
  if (!name.endsWith('Patch') || fields.length < PICKED_MIN) return []
  const hasAll = fields.length === Object.keys(base.properties).length
  const names = wrap(fields.map((field) => `'${field}'`).join(' | '), 96).join('\n    ')
  const pickedType = hasAll ? other : `Pick<\n  ${other},\n  ${names}\n>`
  return [{ from: `Partial<${pickedType}>`, fields }]
}

/** @param {Json} schema @param {Json} base @param {string} field */
const isSame = (schema, base, field) =>
  schema.properties[field] !== undefined &&
  base.properties[field] !== undefined &&
  typeOf(schema.properties[field]) === typeOf(base.properties[field]) &&
  descriptionOf(schema.properties[field]) === descriptionOf(base.properties[field]) &&
  isRequired(schema, field) === isRequired(base, field)

/** @param {Json} schema @param {string} field */
const isRequired = ({ required = [] }, field) => required.includes(field)

/** @param {Json} schema @param {Base} base @returns {PrintedShape} */
function withoutBase(schema, { from, fields }) {
  const entries = Object.entries(schema.properties).filter(([field]) => !fields.includes(field))
  return { base: from, rest: { ...schema, properties: Object.fromEntries(entries) } }
}
