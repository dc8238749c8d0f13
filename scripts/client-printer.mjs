// Prints the types and the operations of the client from the endpoints and their OpenAPI document.
import { headerOf, intoFiles } from './client-files.mjs'
import { inherit } from './shape-heirs.mjs'
import { commentOf, typeOf } from './type-printer.mjs'

/** @typedef {Record<string, any>} Json */
/** @typedef {import('./client-files.mjs').Api} Api */
/** @typedef {{ meta(): { id?: string, description?: string } | undefined }} Shape */
/** @typedef {{ id: string, method: string, path: string, response: Shape, errors: readonly string[], example?: unknown }} Endpoint */
/**
 * An endpoint with its part of the OpenAPI document.
 *
 * @typedef {object} Entry
 * @property {Endpoint} e
 * @property {string} area
 * @property {string} name of the method
 * @property {Json} operation
 * @property {Json[]} params
 * @property {Json | undefined} input what it takes, as a schema
 * @property {string | undefined} inputType
 * @property {boolean} needsInput
 * @property {Json | undefined} output the answer beside `success`; undefined where it is not JSON
 * @property {string | undefined} outputType its name, where the shape has one
 * @property {string | undefined} list the field with the records of a page
 */

/**
 * @param {readonly Endpoint[]} endpoints
 * @param {Json} document the reference that was printed from them
 * @param {{ codes?: readonly string[], api?: Api }} options the codes of all refusals, if the API has codes
 * @returns {Map<string, string>} texts by the name of their file
 */
export function printClient(endpoints, document, { codes = [], api = STORE_API }) {
  const entries = endpoints.map((e) => entryOf(e, document))
  const areas = groupByArea(entries)
  const named = [...areas].map(([name, own]) => areaOf(name, own, document))
  const head = [headerOf(api), '']
  const files = intoFiles(named, shapesOf(entries, document), api)
  if (codes.length > 0) {
    files.set('codes.gen.ts', [...head, ...codesOf(codes), ...detailsOf(document)].join('\n'))
  }
  return files.set('operations.gen.ts', [...head, ...tableOf(areas), ''].join('\n'))
}

/** @type {Api} */
export const STORE_API = {
  title: 'the Store API',
  client: 'Tradepost',
  about: 'The Store API of one store, by area.',
  shared: '../',
}

/** @param {Entry[]} entries */
function groupByArea(entries) {
  /** @type {Map<string, Entry[]>} */
  const areas = new Map()
  for (const item of entries) areas.set(item.area, [...(areas.get(item.area) ?? []), item])
  return areas
}

const ID = /^([a-z]+(?:_[a-z]+)*)\.([a-z]+(?:_[a-z]+)*)$/

/** @param {string} text */
const camel = (text) => text.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase())
/** @param {string} text */
const pascal = (text) => camel(`_${text}`)

/** @param {Endpoint} e @param {Json} document @returns {Entry} */
function entryOf(e, document) {
  const [, area, verb] = ID.exec(e.id) ?? []
  if (!area || !verb) throw new Error(`${e.id} is not area.verb, so the client has no name for it.`)
  const printed = document.paths[e.path.replace(/:(\w+)/g, '{$1}')][e.method.toLowerCase()]
  const operation = withOwnSchemas(printed, document)
  const parameters = (operation.parameters ?? []).filter((/** @type {Json} */ item) => item.in)
  const params = parameters.filter((/** @type {Json} */ item) => item.in === 'path')
  const query = parameters.filter((/** @type {Json} */ item) => item.in === 'query')
  const body = bodyOf(operation)
  if (body && query.length > 0) throw new Error(`${e.id} takes a body and a query.`)
  const input = body ?? (query.length > 0 ? queryOf(query) : undefined)
  const prefix = pascal(area) + pascal(verb)
  return {
    e,
    area: camel(area),
    name: camel(verb),
    operation,
    params,
    input,
    inputType: input && (input.$ref ? typeOf(input) : prefix + (body ? 'Body' : 'Query')),
    needsInput: body ? operation.requestBody.required : (input?.required.length ?? 0) > 0,
    ...outputOf(operation, e.response.meta()?.description),
    outputType: e.response.meta()?.id,
  }
}

/**
 * Inlines the schemas that are named after the operation, because the client prints them with the method.
 *
 * @param {Json} operation @param {Json} document @returns {Json}
 */
function withOwnSchemas(operation, document) {
  const own = new RegExp(
    `^#/components/schemas/(${pascal(operation.operationId.replace(/[.-]/g, '_'))}(?:Body|Result)(?:Form)?)$`,
  )
  return JSON.parse(JSON.stringify(operation), (_, value) => {
    const [, name] = own.exec(value?.$ref ?? '') ?? []
    return name ? document.components.schemas[name] : value
  })
}

/** @param {Json} operation Takes JSON, a form with a file, or both. Bare bytes are for other callers. */
function bodyOf({ requestBody }) {
  if (!requestBody) return undefined
  const { 'application/octet-stream': _, ...content } = requestBody.content
  const schemas = Object.values(content).map(({ schema }) => schema)
  return schemas.length === 1 ? schemas[0] : { anyOf: schemas }
}

/** @param {Json[]} parameters */
const queryOf = (parameters) => ({
  type: 'object',
  properties: Object.fromEntries(
    parameters.map(({ name, description, schema }) => [name, { ...schema, description }]),
  ),
  required: parameters.filter(({ required }) => required).map(({ name }) => name),
})

/** @param {Json} operation @param {string | undefined} description */
function outputOf({ responses }, description) {
  const [status] = Object.keys(responses)
  const schema = responses[status ?? '']?.content?.['application/json']?.schema
  if (!schema) return { output: undefined, list: undefined }
  const { success: _, ...properties } = schema.properties
  const arrays = Object.keys(properties).filter((name) => properties[name].type === 'array')
  const isPaged = 'pagination' in properties || 'next_cursor' in properties
  return {
    output: { ...schema, properties, description },
    list: isPaged && arrays.length === 1 ? arrays[0] : undefined,
  }
}

/** @param {string} name @param {Entry[]} entries @param {Json} document */
function areaOf(name, entries, document) {
  const [tag] = entries[0]?.operation.tags ?? []
  const { description = '' } = document.tags.find((/** @type {Json} */ item) => item.name === tag)
  return {
    name,
    about: commentOf([description], ''),
    lines: entries.flatMap(methodOf),
    answers: entries.map(answerOf),
  }
}

/** @param {Entry} entry */
function methodOf(entry) {
  const { name, operation, params, inputType, needsInput } = entry
  const args = [
    ...params.map((item) => `${camel(item.name)}: ${typeOf(item.schema)}`),
    ...(inputType ? [`${inputName(entry)}${needsInput ? '' : '?'}: ${inputType}`] : []),
    `options?: ${optionsOf(entry)}`,
  ]
  const comment = [
    operation.summary,
    operation.description,
    ...params.map((item) => `@param ${camel(item.name)} ${item.description}`),
    ...throwsOf(entry),
  ]
  return [...commentOf(comment, '  '), `  ${name}(${args.join(', ')}): ${answerOf(entry)}`]
}

/** @param {Entry} entry */
function optionsOf({ e, operation }) {
  const parameters = operation.parameters ?? []
  const isVersioned = parameters.some((/** @type {Json} */ item) => item.name === 'If-Match')
  const types = [
    ...(e.method === 'POST' ? ['PostOptions'] : []),
    ...(isVersioned ? ['VersionOptions'] : []),
  ]
  return types.length === 0 ? 'CallOptions' : types.join(' & ')
}

/** Statuses of the Client Security API that depend on the operation. Its refusals have no codes. */
const OWN_STATUSES = ['404', '409', '412', '416', '422']

/** @param {Entry} entry */
function throwsOf({ e, operation }) {
  const statuses = OWN_STATUSES.filter((status) =>
    operation.responses[status]?.$ref?.endsWith(`Refused${status}`),
  )
  const whys = statuses.length > 0 ? statuses : e.errors.map((code) => `\`${code}\``)
  return whys.length > 0 ? [`@throws {TradepostError} ${whys.join(', ')}`] : []
}

/** @param {Entry} entry */
const inputName = ({ operation }) => (operation.requestBody ? 'body' : 'query')

/** @param {Entry} entry */
function answerOf({ output, outputType, list }) {
  if (!output) return 'Promise<Response>'
  if (!list) return `Call<${outputType ?? typeOf(output, '  ')}>`
  // The type List already says that this is a page.
  const { description: _, ...records } = output.properties[list]
  const page = { ...output, properties: { ...output.properties, [list]: records } }
  return `List<${outputType ?? typeOf(page, '  ')}, ${typeOf(records.items, '  ')}>`
}

/** @param {readonly string[]} codes */
const codesOf = (codes) => [
  '/** Why the API refuses a call. */',
  'export type RefusalCode =',
  ...codes.map((code) => `  | '${code}'`),
  '',
]

/** The fields of `details` that the reference describes; a code may have others. @param {Json} document */
function detailsOf(document) {
  const { details } = document.components.schemas.Error?.properties ?? {}
  if (!details) return []
  const { errors, ...properties } = details.properties
  const fields = { ...properties, errors: { ...errors, items: { $ref: 'ErrorProblem' } } }
  const printed = typeOf({ type: 'object', properties: fields })
  return [
    '/** One invalid input. */',
    `export interface ErrorProblem ${typeOf(errors.items)}`,
    '',
    ...commentOf([details.description], ''),
    `export interface ErrorDetails ${printed.replace(/\}$/, '  [name: string]: unknown\n}')}`,
    '',
  ]
}

/** The shapes that operations reference, directly or not, each once. @param {Entry[]} entries @param {Json} document */
function shapesOf(entries, document) {
  /** @type {Map<string, Json>} */
  const shapes = new Map()
  for (const { input, inputType, output, outputType } of entries) {
    if (inputType && input && !input.$ref) shapes.set(inputType, input)
    if (outputType && output) shapes.set(outputType, output)
    collect([input, output], document, shapes)
  }
  const sorted = [...inherit(shapes)].sort(([a], [b]) => (a < b ? -1 : 1))
  return new Map(sorted.map((item) => [item[0], printShape(item)]))
}

/** @param {[string, import('./shape-heirs.mjs').Printed]} shape */
function printShape([name, { from, own }]) {
  const comment = commentOf([own.description ?? ''], '')
  if (own.type !== 'object' || !own.properties) {
    return [...comment, `export type ${name} = ${typeOf(own)}`, '']
  }
  if (!from) return [...comment, `export interface ${name} ${typeOf(own)}`, '']
  const isMore = Object.keys(own.properties).length > 0
  return isMore
    ? [...comment, `export interface ${name} extends ${from} ${typeOf(own)}`, '']
    : [...comment, `export type ${name} = ${from}`, '']
}

/** @param {unknown} node @param {Json} document @param {Map<string, Json>} shapes */
function collect(node, document, shapes) {
  for (const [, name = ''] of JSON.stringify(node ?? null).matchAll(REFERENCE)) {
    if (shapes.has(name)) continue
    const schema = document.components.schemas[name]
    shapes.set(name, schema)
    collect(schema, document, shapes)
  }
}

const REFERENCE = /"\$ref":"#\/components\/schemas\/([^"]+)"/g

/** @param {Map<string, Entry[]>} areas */
function tableOf(areas) {
  const lines = ['/** The request of each method. */', 'export const OPERATIONS = {']
  for (const [area, entries] of areas) {
    const rows = entries.map((item) => `    ${item.name}: { ${rowOf(item)} },`)
    lines.push(`  ${area}: {`, ...rows, '  },')
  }
  return [...lines, '} as const']
}

/** @param {Entry} entry */
function rowOf(entry) {
  const { e, inputType, list, output } = entry
  return [
    `method: '${e.method}'`,
    `path: '${e.path}'`,
    ...(inputType ? [`takes: '${inputName(entry)}'`] : []),
    ...(list ? [`list: '${list}'`] : []),
    ...(output ? [] : ['raw: true']),
  ].join(', ')
}

/**
 * A program that calls every operation with its documented example. If it compiles, the types accept what
 * the server accepts.
 *
 * @param {readonly Endpoint[]} endpoints @param {Json} document
 * @param {Api & { from: string }} api with the module of the client, from `test/`
 */
export function printEveryOperation(
  endpoints,
  document,
  api = { ...STORE_API, from: '../../sdk/client/index.ts' },
) {
  const calls = endpoints.map((e) => {
    const { area, name, params, input, needsInput } = entryOf(e, document)
    const ids = params.map(({ schema }) => (schema.type === 'integer' ? '1' : "'id'"))
    if (needsInput && e.example === undefined) throw new Error(`${e.id} has no example.`)
    const example = input ? [exampleOf(e, input)] : []
    return `  await client.${area}.${name}(${[...ids, ...example, '{ retries: 0 }'].join(', ')})`
  })
  return [
    '// Written by `npm run sdk:types` from the examples of the reference. Do not edit.',
    `import type { ${api.client} } from '${api.from}'`,
    '',
    '/** Only read by the compiler: the examples of the reference fit the types of the client. */',
    `export async function callEveryOperation(client: ${api.client}): Promise<void> {`,
    ...calls,
    '}',
    '',
  ].join('\n')
}

/** @param {Endpoint} e @param {Json} input */
function exampleOf({ example = {} }, input) {
  const isUpload = input.properties?.file?.format === 'binary'
  return isUpload
    ? `{ ...${JSON.stringify(example)}, file: new Blob([]) }`
    : JSON.stringify(example)
}
