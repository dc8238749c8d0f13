// Finds shapes that can extend another one, so that no field is printed twice.
import { aboutOf, typeOf, wrap } from './type-printer.mjs'

/** @typedef {Record<string, any>} Json */
/**
 * @typedef {object} Printed
 * @property {string | undefined} from the TypeScript expression that it extends
 * @property {Json} own the schema of its own fields
 */

/** Fewer shared fields would be shorter than the name of the base. */
const PICKED_MIN = 3
const PAGE = 'PageQuery'

/** The noun of a shape: `Group` for `NewGroup` and `GroupPatch`. @param {string} name */
const nounOf = (name) => name.replace(/^(Listed|New|Sent)|Patch$/g, '')

/** The limit and the offset of every list. @param {Json} query @returns {Json} */
const pageOf = ({ properties }) => ({
  type: 'object',
  properties: { limit: properties.limit, offset: properties.offset },
})

/**
 * A shape extends another one of the same noun if it has all of its fields. So does a patch. The printed
 * texts are compared: the type and its description.
 *
 * @param {Map<string, Json>} shapes by name
 * @returns {Map<string, Printed>}
 */
export function inherit(shapes) {
  const lists = [...shapes.values()].filter(
    ({ properties }) => properties?.limit && properties?.offset,
  )
  const all = new Map(shapes)
  if (lists.length > 1) all.set(PAGE, pageOf(/** @type {Json} */ (lists[0])))
  const printed = [...all].map(([name, schema]) => {
    const [best] = basesOf(name, schema, all)
    const own = best ? without(schema, best) : { from: undefined, own: schema }
    return /** @type {const} */ ([name, own])
  })
  return new Map(printed)
}

/** @typedef {{ from: string, fields: string[] }} Base */

/** The possible bases of a shape, best first. @param {string} name @param {Json} schema @param {Map<string, Json>} all @returns {Base[]} */
function basesOf(name, schema, all) {
  if (schema.type !== 'object' || !schema.properties) return []
  return [...all]
    .filter(([other, { properties }]) => properties && mayInherit(name, other))
    .sort(([a], [b]) => a.length - b.length)
    .flatMap(([other, base]) => whole(other, schema, base) ?? changed(name, other, schema, base))
    .sort((a, b) => b.fields.length - a.fields.length)
}

/** @param {string} name @param {string} other */
function mayInherit(name, other) {
  if (other === PAGE) return name !== PAGE && name.endsWith('Query')
  if (/(Patch|Query|Body)$/.test(other) || other === name) return false
  return nounOf(other).endsWith(nounOf(name))
}

/** The fields of another shape if all are shared, unless that one extends this one. @param {string} other @param {Json} schema @param {Json} base */
function whole(other, schema, base) {
  const fields = Object.keys(base.properties)
  const isMore = Object.keys(schema.properties).length > fields.length
  const holds = fields.every((field) => isSame(schema, base, field))
  return holds && (isMore || nounOf(other) === other) ? [{ from: other, fields }] : undefined
}

/** The fields of a patch: those of the record, each optional. @param {string} name @param {string} other @param {Json} schema @param {Json} base */
function changed(name, other, schema, base) {
  const optional = { ...base, required: [] }
  const fields = Object.keys(schema.properties).filter((field) => isSame(schema, optional, field))
  if (!name.endsWith('Patch') || fields.length < PICKED_MIN) return []
  const all = fields.length === Object.keys(base.properties).length
  const names = wrap(fields.map((field) => `'${field}'`).join(' | '), 96).join('\n    ')
  const picked = all ? other : `Pick<\n  ${other},\n  ${names}\n>`
  return [{ from: `Partial<${picked}>`, fields }]
}

/** @param {Json} a @param {Json} b @param {string} field */
const isSame = (a, b, field) =>
  a.properties[field] !== undefined &&
  b.properties[field] !== undefined &&
  typeOf(a.properties[field]) === typeOf(b.properties[field]) &&
  aboutOf(a.properties[field]) === aboutOf(b.properties[field]) &&
  isRequired(a, field) === isRequired(b, field)

/** @param {Json} schema @param {string} field */
const isRequired = ({ required = [] }, field) => required.includes(field)

/** @param {Json} schema @param {Base} base @returns {Printed} */
function without(schema, { from, fields }) {
  const own = Object.entries(schema.properties).filter(([field]) => !fields.includes(field))
  return { from, own: { ...schema, properties: Object.fromEntries(own) } }
}
