// Prints the types of the dashboard's ownRecords endpoints to sdk/dashboard. With --check it fails if a file is stale.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { userEndpoints } from '../dist/features/installation/index.js'
import { isBodyRequired } from '../dist/http/endpoint.js'
import { openSchemaRegistry } from '../dist/http/openapi/schemas.js'
import { AREAS } from '../dist/kernel/permissions.js'
import { runAtOnce } from '../dist/kernel/slices.js'
import { dashboardEndpoints } from '../dist/surfaces/dashboard/dashboard-api.js'
import { commentOf, typeOf } from './type-printer.mjs'

const FOLDER = new URL('../sdk/dashboard/', import.meta.url)
/** The folders of the printed clients of the Store API and the Client Security API, from FOLDER. */
const CLIENTS = ['../client/api/', '../client-security/management/api/']

/** @typedef {{ id: string, method: string, path: string, summary: string, params?: any, query?: any, body?: any, response: any }} Endpoint */
/** @typedef {{ endpoint: Endpoint, prefix: string }} Entry an endpoint with the beginning of its path */

const entries = [
  .../** @type {readonly Endpoint[]} */ (userEndpoints).map((endpoint) => ({
    endpoint,
    prefix: '',
  })),
  .../** @type {readonly Endpoint[]} */ (dashboardEndpoints).map((endpoint) => ({
    endpoint,
    prefix: '/stores/{store_hash}',
  })),
]

/** Returns the shape of path or query parameters as a plain object. @param {any} shape */
const plainObject = (shape) => z.object(shape.shape)

/** Returns the shapes of an endpoint, and whether they belong to the request or to the answer. @param {Endpoint} endpoint */
const shapesOf = ({ params, query, body, response }) => [
  ...[params && plainObject(params), query && plainObject(query), body].flatMap((shape) =>
    shape ? [{ shape, form: /** @type {const} */ ('request') }] : [],
  ),
  { shape: response, form: /** @type {const} */ ('answer') },
]

const registry = runAtOnce(
  openSchemaRegistry(entries.flatMap(({ endpoint }) => shapesOf(endpoint))),
)

/** @param {string} name @param {any} shape @param {'request' | 'answer'} form @param {boolean} [isOptional] */
const fieldLines = (name, shape, form, isOptional = false) =>
  shape
    ? [`    ${name}${isOptional ? '?' : ''}: ${typeOf(registry.print(shape, form), '    ')}`]
    : [`    ${name}?: undefined`]

/** @param {Entry} entry */
const operationLines = ({ endpoint: { id, method, path, summary, ...shapes }, prefix }) => [
  ...commentOf([summary], '  '),
  `  '${id}': {`,
  `    method: '${method}'`,
  `    path: '${prefix}${path.replace(/:(\w+)/g, '{$1}')}'`,
  ...fieldLines('params', shapes.params && plainObject(shapes.params), 'request'),
  ...fieldLines('query', shapes.query && plainObject(shapes.query), 'request', true),
  ...fieldLines(
    'body',
    shapes.body,
    'request',
    shapes.body && !isBodyRequired(method, shapes.body),
  ),
  ...fieldLines('answer', shapes.response, 'answer'),
  '  }',
]

/** Matches a type of a client, with its name and its text. */
const CLIENT_TYPE = /^export (?:interface |type )(\w+) (?:= )?(\{\n[\s\S]*?\n\})/gm

const HEAD = '// Written by `npm run sdk:types` from the endpoints of the dashboard. Do not edit.'

/** Returns the names of the records that a text uses outside of its comments. @param {string} text @param {string} [except] */
const recordNamesIn = (text, except) => {
  const code = text.replace(/\/\*\*[\s\S]*?\*\//g, '')
  return Object.keys(registry.components).filter(
    (name) => name !== except && new RegExp(`\\b${name}\\b`).test(code),
  )
}

/** @param {string} file @param {string[]} names */
const importFrom = (file, names) =>
  names.length === 0 ? [] : [`import type { ${names.join(', ')} } from './${file}'`]

/** The endpoints for the team and the API keys of a store. */
const ACCESS_IDS = /^(api_keys|team|invitations)\./
/** The endpoints for the developers of a store. */
const BUILD_IDS = /^(webhooks|request_log|doctor)\./

/** The endpoints for the sales, the customers and the catalogue of a store. */
const SELL_IDS =
  /^(affiliates|analytics|blocklist|coupons|return_photos|saved_replies|stock|tickets)\./

/**
 * Returns the lines of a file with the interface of these endpoints.
 * @param {string} name @param {string} comment @param {(entry: Entry) => boolean} isIn
 */
function linesOfInterfaceFile(name, comment, isIn) {
  const body = entries.filter(isIn).flatMap(operationLines)
  const imports = importFrom('records.gen.ts', recordNamesIn(body.join('\n')))
  return [HEAD, ...imports, '', `/** ${comment} */`, `export interface ${name} {`, ...body, '}', '']
}

/** The record types of the clients, by the name and the text of the type. */
const clientTypes = new Map(
  CLIENTS.flatMap((client) => {
    const folder = new URL(client, FOLDER)
    return readdirSync(folder).flatMap((file) =>
      [...readFileSync(new URL(file, folder), 'utf8').matchAll(CLIENT_TYPE)].map(
        ([, name, text]) => /** @type {const} */ ([`${name} ${text}`, `${client}${file}`]),
      ),
    )
  }),
)

const recordTypes = Object.entries(registry.components).map(([name, schema]) => ({
  name,
  comment: /** @type {any} */ (schema).description ?? '',
  text: typeOf(/** @type {any} */ (schema)),
}))
/** @param {{ name: string, text: string }} record */
const clientFileOf = ({ name, text }) => clientTypes.get(`${name} ${text}`)

/**
 * Returns the names of the records of these endpoints, and of the records that these contain.
 * @param {(entry: Entry) => boolean} isIn
 */
function recordNamesOf(isIn) {
  const names = new Set(recordNamesIn(entries.filter(isIn).flatMap(operationLines).join('\n')))
  for (const name of names) {
    for (const other of recordNamesIn(textOf(name), name)) names.add(other)
  }
  return names
}

// A record that endpoints of several groups use belongs to the first of these groups.
const peopleNames = recordNamesOf(
  ({ endpoint, prefix }) => prefix === '' || ACCESS_IDS.test(endpoint.id),
)
const buildNames = new Set(
  [...recordNamesOf(({ endpoint }) => BUILD_IDS.test(endpoint.id))].filter(
    (name) => !peopleNames.has(name),
  ),
)

const sellNames = new Set(
  [...recordNamesOf(({ endpoint }) => SELL_IDS.test(endpoint.id))].filter(
    (name) => !peopleNames.has(name) && !buildNames.has(name),
  ),
)

/** @param {string} name */
function textOf(name) {
  return recordTypes.find((record) => record.name === name)?.text ?? ''
}

/** @param {string} name */
function recordFileOf(name) {
  if (peopleNames.has(name)) return 'people-records.gen.ts'
  if (buildNames.has(name)) return 'build-records.gen.ts'
  return sellNames.has(name) ? 'sell-records.gen.ts' : 'store-records.gen.ts'
}

/** Returns the lines of a file of record types. Types that the client also has are imported from the client. @param {string} file */
function linesOfRecordFile(file) {
  const records = recordTypes.filter(({ name }) => recordFileOf(name) === file)
  const ownRecords = records.filter((record) => !clientFileOf(record))
  const sharedRecords = records.filter(clientFileOf)
  const used = recordNamesIn(ownRecords.map(({ text }) => text).join('\n'))
  const others = [...new Set(used.map(recordFileOf))].filter((other) => other !== file)
  return [
    HEAD,
    ...sharedRecords
      .filter(({ name }) => used.includes(name))
      .map((record) => `import type { ${record.name} } from '${clientFileOf(record)}'`),
    ...others.flatMap((other) =>
      importFrom(
        other,
        used.filter((name) => recordFileOf(name) === other),
      ),
    ),
    '',
    ...sharedRecords.map(
      (record) => `export type { ${record.name} } from '${clientFileOf(record)}'`,
    ),
    ...(sharedRecords.length > 0 ? [''] : []),
    ...ownRecords.flatMap(({ name, comment, text }) => [
      ...commentOf([comment], ''),
      `export type ${name} = ${text}`,
      '',
    ]),
  ]
}

/** @type {Record<string, string[]>} */
const files = {
  'people-records.gen.ts': linesOfRecordFile('people-records.gen.ts'),
  'build-records.gen.ts': linesOfRecordFile('build-records.gen.ts'),
  'sell-records.gen.ts': linesOfRecordFile('sell-records.gen.ts'),
  'store-records.gen.ts': linesOfRecordFile('store-records.gen.ts'),
  'records.gen.ts': [
    HEAD,
    "export type * from './build-records.gen.ts'",
    "export type * from './people-records.gen.ts'",
    "export type * from './sell-records.gen.ts'",
    "export type * from './store-records.gen.ts'",
    '',
  ],
  'user.gen.ts': linesOfInterfaceFile(
    'UserOperations',
    'Endpoints of the signed-in user.',
    ({ prefix }) => prefix === '',
  ),
  'access.gen.ts': linesOfInterfaceFile(
    'AccessOperations',
    'Endpoints of a store for its team and its API keys.',
    ({ endpoint, prefix }) => prefix !== '' && ACCESS_IDS.test(endpoint.id),
  ),
  'store.gen.ts': linesOfInterfaceFile(
    'StoreOperations',
    'Endpoints of a store for its client programs, its lists and its settings.',
    ({ endpoint: { id }, prefix }) =>
      prefix !== '' && ![ACCESS_IDS, BUILD_IDS, SELL_IDS].some((ids) => ids.test(id)),
  ),
  'sell.gen.ts': linesOfInterfaceFile(
    'SellOperations',
    'Endpoints of a store for its sales, customers and catalogue.',
    ({ endpoint, prefix }) => prefix !== '' && SELL_IDS.test(endpoint.id),
  ),
  'build.gen.ts': linesOfInterfaceFile(
    'BuildOperations',
    'Endpoints of a store for its developers: webhooks, the request log and the checks.',
    ({ endpoint, prefix }) => prefix !== '' && BUILD_IDS.test(endpoint.id),
  ),
  'permissions.gen.ts': [
    HEAD,
    '',
    '/** The areas of the Store API. Each has the permissions `<area>:read` and `<area>:write`. */',
    'export const PERMISSION_AREAS = [',
    ...AREAS.map((area) => `  '${area}',`),
    '] as const',
    '',
  ],
  'operations.gen.ts': [
    HEAD,
    "import type { AccessOperations } from './access.gen.ts'",
    "import type { BuildOperations } from './build.gen.ts'",
    "import type { SellOperations } from './sell.gen.ts'",
    "import type { StoreOperations } from './store.gen.ts'",
    "import type { UserOperations } from './user.gen.ts'",
    '',
    "export type * from './records.gen.ts'",
    '',
    '/** The endpoints that only the dashboard has, below `/dashboard/api`. Answers also have `success: true`. */',
    'export interface DashboardOperations',
    '  extends UserOperations,',
    '    AccessOperations,',
    '    BuildOperations,',
    '    SellOperations,',
    '    StoreOperations {}',
    '',
  ],
}

if (!process.argv.includes('--check')) mkdirSync(FOLDER, { recursive: true })
for (const [name, lines] of Object.entries(files)) {
  const file = new URL(name, FOLDER)
  const text = lines.join('\n')
  if (!process.argv.includes('--check')) writeFileSync(file, text)
  else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
    process.stderr.write(`sdk/dashboard/${name} is stale: run \`npm run sdk:types\`.\n`)
    process.exitCode = 1
  }
}
