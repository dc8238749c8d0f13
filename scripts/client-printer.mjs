// Prints the types and the operations of the client from the endpoints and their OpenAPI document.
import { headerOf, splitIntoFiles } from './client-files.mjs'
import { inherit } from './shape-bases.mjs'
import { commentOf, typeOf } from './type-printer.mjs'

/** @typedef {Record<string, any>} Json */
/** @typedef {import('./client-files.mjs').Api} Api */
/** @typedef {{ meta(): { id?: string, description?: string } | undefined }} Shape */
/** @typedef {{ id: string, method: string, path: string, response: Shape, errors: readonly string[], example?: unknown }} Endpoint */
/**
 * An endpoint with its part of the OpenAPI document.
 *
 * @typedef {object} Entry
 * @property {Endpoint} endpoint
 * @property {string} area
 * @property {string} name of the method
 * @property {Json} operation
 * @property {Json[]} params
 * @property {Json | undefined} input the schema of its body or query
 * @property {string | undefined} inputType
 * @property {boolean} needsInput
 * @property {Json | undefined} output the answer without `success`; undefined if it is not JSON
 * @property {string | undefined} outputType the name of the answer's shape, if it has one
 * @property {string | undefined} list the field with the records of a page
 */

/**
 * @param {readonly Endpoint[]} endpoints
 * @param {Json} document their OpenAPI document
 * @param {{ codes?: readonly string[], api?: Api }} options the codes of all refusals, if the API has codes
 * @returns {Map<string, string>} texts by the name of their file
 */
export function printClient(endpoints, document, { codes = [], api = STORE_API }) {
  const entries = endpoints.map((endpoint) => entryOf(endpoint, document))
  const entriesByArea = groupByArea(entries)
  const areas = [...entriesByArea].map(([name, areaEntries]) => areaOf(name, areaEntries, document))
  const head = [headerOf(api), '']
  const files = splitIntoFiles(areas, shapesOf(entries, document), api)
  if (codes.length > 0) {
    files.set('codes.gen.ts', [...head, ...codesOf(codes), ...detailsOf(document)].join('\n'))
  }
  return files.set('operations.gen.ts', [...head, ...tableOf(entriesByArea), ''].join('\n'))
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

const OPERATION_ID = /^([a-z]+(?:_[a-z]+)*)\.([a-z]+(?:_[a-z]+)*)$/

/** @param {string} text */
const camelCase = (text) => text.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase())
/** @param {string} text */
const pascalCase = (text) => camelCase(`_${text}`)

/** @param {Endpoint} endpoint @param {Json} document @returns {Entry} */
function entryOf(endpoint, document) {
  const { id, method, path, response } = endpoint
  const [, area, verb] = OPERATION_ID.exec(id) ?? []
  if (!area || !verb) throw new Error(`The id ${id} is not area.verb, so its method has no name.`)
  const documented = document.paths[path.replace(/:(\w+)/g, '{$1}')][method.toLowerCase()]
  const operation = inlineOwnSchemas(documented, document)
  const parameters = (operation.parameters ?? []).filter((/** @type {Json} */ item) => item.in)
  const params = parameters.filter((/** @type {Json} */ item) => item.in === 'path')
  const query = parameters.filter((/** @type {Json} */ item) => item.in === 'query')
  const body = bodyOf(operation)
  if (body && query.length > 0) throw new Error(`${id} takes a body and a query.`)
  const input = body ?? (query.length > 0 ? queryOf(query) : undefined)
  const prefix = pascalCase(area) + pascalCase(verb)
  return {
    endpoint,
    area: camelCase(area),
    name: camelCase(verb),
    operation,
    params,
    input,
    inputType: input && (input.$ref ? typeOf(input) : prefix + (body ? 'Body' : 'Query')),
    needsInput: body ? operation.requestBody.required : (input?.required.length ?? 0) > 0,
    ...outputOf(operation, response.meta()?.description),
    outputType: response.meta()?.id,
  }
}

/**
 * Inlines the schemas that are named after the operation. The client prints them in its method.
 *
 * @param {Json} operation @param {Json} document @returns {Json}
 */
function inlineOwnSchemas(operation, document) {
  const ownSchema = new RegExp(
    `^#/components/schemas/(${pascalCase(operation.operationId.replace(/[.-]/g, '_'))}(?:Body|Result)(?:Form)?)$`,
  )
  return JSON.parse(JSON.stringify(operation), (_, value) => {
    const [, name] = ownSchema.exec(value?.$ref ?? '') ?? []
    return name ? document.components.schemas[name] : value
  })
}

/** Returns the schema of JSON, of a form with a file, or of either. A body of bare bytes is not in the client. @param {Json} operation */
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
    answers: entries.map(answerTypeOf),
  }
}

/** @param {Entry} entry */
function methodOf(entry) {
  const { name, operation, params, inputType, needsInput } = entry
  const args = [
    ...params.map((item) => `${camelCase(item.name)}: ${typeOf(item.schema)}`),
    ...(inputType ? [`${inputName(entry)}${needsInput ? '' : '?'}: ${inputType}`] : []),
    `options?: ${optionsTypeOf(entry)}`,
  ]
  const comment = [
    operation.summary,
    operation.description,
    ...params.map((item) => `@param ${camelCase(item.name)} ${item.description}`),
    ...throwsOf(entry),
  ]
  return [...commentOf(comment, '  '), `  ${name}(${args.join(', ')}): ${answerTypeOf(entry)}`]
}

/** @param {Entry} entry */
function optionsTypeOf({ endpoint, operation }) {
  const parameters = operation.parameters ?? []
  const isVersioned = parameters.some((/** @type {Json} */ item) => item.name === 'If-Match')
  const types = [
    ...(endpoint.method === 'POST' ? ['PostOptions'] : []),
    ...(isVersioned ? ['VersionOptions'] : []),
  ]
  return types.length === 0 ? 'CallOptions' : types.join(' & ')
}

/** The statuses that only some operations of the Client Security API have. Its refusals have no codes. */
const SPECIFIC_STATUSES = ['404', '409', '412', '416', '422']

/** @param {Entry} entry */
function throwsOf({ endpoint, operation }) {
  const statuses = SPECIFIC_STATUSES.filter((status) =>
    operation.responses[status]?.$ref?.endsWith(`Refused${status}`),
  )
  const causes = statuses.length > 0 ? statuses : endpoint.errors.map((code) => `\`${code}\``)
  return causes.length > 0 ? [`@throws {TradepostError} ${causes.join(', ')}`] : []
}

/** @param {Entry} entry */
const inputName = ({ operation }) => (operation.requestBody ? 'body' : 'query')

/** @param {Entry} entry */
function answerTypeOf({ output, outputType, list }) {
  if (!output) return 'Promise<Response>'
  if (!list) return `Call<${outputType ?? typeOf(output, '  ')}>`
  // The name of the type List describes the records already.
  const { description: _, ...records } = output.properties[list]
  const page = { ...output, properties: { ...output.properties, [list]: records } }
  return `List<${outputType ?? typeOf(page, '  ')}, ${typeOf(records.items, '  ')}>`
}

/** @param {readonly string[]} codes */
const codesOf = (codes) => [
  '/** The code of a refusal. */',
  'export type RefusalCode =',
  ...codes.map((code) => `  | '${code}'`),
  '',
]

/** Prints the fields of `details` that the document describes. A refusal may have others. @param {Json} document */
function detailsOf(document) {
  const { details } = document.components.schemas.Error?.properties ?? {}
  if (!details) return []
  const { errors, ...properties } = details.properties
  const fields = { ...properties, errors: { ...errors, items: { $ref: 'ErrorProblem' } } }
  const printed = typeOf({ type: 'object', properties: fields })
  return [
    '/** An invalid input. */',
    `export interface ErrorProblem ${typeOf(errors.items)}`,
    '',
    ...commentOf([details.description], ''),
    `export interface ErrorDetails ${printed.replace(/\}$/, '  [name: string]: unknown\n}')}`,
    '',
  ]
}

/** Prints the shapes to which operations refer, directly or through other shapes. @param {Entry[]} entries @param {Json} document */
function shapesOf(entries, document) {
  /** @type {Map<string, Json>} */
  const shapes = new Map()
  for (const { input, inputType, output, outputType } of entries) {
    if (inputType && input && !input.$ref) shapes.set(inputType, input)
    if (outputType && output) shapes.set(outputType, output)
    collectReferences([input, output], document, shapes)
  }
  const sorted = [...inherit(shapes)].sort(([name], [other]) => (name < other ? -1 : 1))
  return new Map(sorted.map((item) => [item[0], printShape(item)]))
}

/** @param {[string, import('./shape-bases.mjs').PrintedShape]} shape */
function printShape([name, { base, rest }]) {
  const comment = commentOf([rest.description ?? ''], '')
  const hasFields = Object.keys(rest.properties ?? {}).length > 0
  if (rest.type !== 'object' || (!base && !hasFields)) {
    return [...comment, `export type ${name} = ${typeOf(rest)}`, '']
  }
  if (!base) return [...comment, `export interface ${name} ${typeOf(rest)}`, '']
  return hasFields
    ? [...comment, `export interface ${name} extends ${base} ${typeOf(rest)}`, '']
    : [...comment, `export type ${name} = ${base}`, '']
}

/** @param {unknown} node @param {Json} document @param {Map<string, Json>} shapes */
function collectReferences(node, document, shapes) {
  for (const [, name = ''] of JSON.stringify(node ?? null).matchAll(REFERENCE)) {
    if (shapes.has(name)) continue
    const schema = document.components.schemas[name]
    shapes.set(name, schema)
    collectReferences(schema, document, shapes)
  }
}

const REFERENCE = /"\$ref":"#\/components\/schemas\/([^"]+)"/g

/** @param {Map<string, Entry[]>} entriesByArea */
function tableOf(entriesByArea) {
  const lines = ['/** The request of each method. */', 'export const OPERATIONS = {']
  for (const [area, entries] of entriesByArea) {
    const rows = entries.map((item) => `    ${item.name}: { ${rowOf(item)} },`)
    lines.push(`  ${area}: {`, ...rows, '  },')
  }
  return [...lines, '} as const']
}

/** @param {Entry} entry */
function rowOf(entry) {
  const { endpoint, inputType, list, output } = entry
  return [
    `method: '${endpoint.method}'`,
    `path: '${endpoint.path}'`,
    ...(inputType ? [`takes: '${inputName(entry)}'`] : []),
    ...(list ? [`list: '${list}'`] : []),
    ...(output ? [] : ['raw: true']),
  ].join(', ')
}

/**
 * Prints a program that calls every operation with its documented example. If it compiles, the types of the
 * client accept the examples.
 *
 * @param {readonly Endpoint[]} endpoints @param {Json} document
 * @param {Api & { from: string }} api with the path of the client's module from the printed file
 */
export function printEveryOperation(
  endpoints,
  document,
  api = { ...STORE_API, from: '../../sdk/client/index.ts' },
) {
  const calls = endpoints.map((endpoint) => {
    const { area, name, params, input, needsInput } = entryOf(endpoint, document)
    const ids = params.map(({ schema }) => (schema.type === 'integer' ? '1' : "'id'"))
    if (needsInput && endpoint.example === undefined) {
      throw new Error(`${endpoint.id} has no example.`)
    }
    const example = input ? [exampleOf(endpoint, input)] : []
    return `  await client.${area}.${name}(${[...ids, ...example, '{ retries: 0 }'].join(', ')})`
  })
  return [
    '// Written by `npm run sdk:types` from the examples of the reference. Do not edit.',
    `import type { ${api.client} } from '${api.from}'`,
    '',
    '/** Checks, when it is compiled, that the examples of the reference fit the types of the client. */',
    `export async function callEveryOperation(client: ${api.client}): Promise<void> {`,
    ...calls,
    '}',
    '',
  ].join('\n')
}

/** @param {Endpoint} endpoint @param {Json} input */
function exampleOf({ example = {} }, input) {
  const isUpload = input.properties?.file?.format === 'binary'
  return isUpload
    ? `{ ...${JSON.stringify(example)}, file: new Blob([]) }`
    : JSON.stringify(example)
}
