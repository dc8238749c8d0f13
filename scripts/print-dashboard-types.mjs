// Prints the types of the dashboard's own endpoints to sdk/dashboard. With --check it fails if a file is stale.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { userEndpoints } from '../dist/features/installation/index.js'
import { isBodyRequired } from '../dist/http/endpoint.js'
import { openSchemaRegistry } from '../dist/http/openapi/schemas.js'
import { AREAS } from '../dist/kernel/permissions.js'
import { runAtOnce } from '../dist/kernel/slices.js'
import { dashboardEndpoints } from '../dist/surfaces/dashboard/dashboard-api.js'
import { commentOf, typeOf } from './type-printer.mjs'

const FOLDER = new URL('../sdk/dashboard/', import.meta.url)

/** @typedef {{ id: string, method: string, path: string, summary: string, params?: any, query?: any, body?: any, response: any }} Endpoint */

const entries = [
  ...userEndpoints.map((e) => ({ e: /** @type {Endpoint} */ (e), prefix: '' })),
  ...dashboardEndpoints.map((e) => ({
    e: /** @type {Endpoint} */ (e),
    prefix: '/stores/{store_hash}',
  })),
]

/** @param {any} shape Path and query parameters as an object of their own. */
const plain = (shape) => z.object(shape.shape)

/** @param {Endpoint} e */
const usesOf = ({ params, query, body, response }) => [
  ...[params && plain(params), query && plain(query), body].flatMap((shape) =>
    shape ? [{ shape, form: /** @type {const} */ ('request') }] : [],
  ),
  { shape: response, form: /** @type {const} */ ('answer') },
]

const book = runAtOnce(openSchemaRegistry(entries.flatMap(({ e }) => usesOf(e))))

/** @param {string} name @param {any} shape @param {'request' | 'answer'} form @param {boolean} [optional] */
const fieldOf = (name, shape, form, optional = false) =>
  shape
    ? [`    ${name}${optional ? '?' : ''}: ${typeOf(book.print(shape, form), '    ')}`]
    : [`    ${name}?: undefined`]

/** @param {{ e: Endpoint, prefix: string }} entry */
const operationOf = ({ e, prefix }) => [
  ...commentOf([e.summary], '  '),
  `  '${e.id}': {`,
  `    method: '${e.method}'`,
  `    path: '${prefix}${e.path.replace(/:(\w+)/g, '{$1}')}'`,
  ...fieldOf('params', e.params && plain(e.params), 'request'),
  ...fieldOf('query', e.query && plain(e.query), 'request', true),
  ...fieldOf('body', e.body, 'request', e.body && !isBodyRequired(e.method, e.body)),
  ...fieldOf('answer', e.response, 'answer'),
  '  }',
]

const HEAD = '// Written by `npm run sdk:types` from the endpoints of the dashboard. Do not edit.'

/** The records that an interface names. @param {string} body */
const importOf = (body) => {
  const names = Object.keys(book.components).filter((name) =>
    new RegExp(`\\b${name}\\b`).test(body),
  )
  return names.length === 0 ? [] : [`import type { ${names.join(', ')} } from './records.gen.ts'`]
}

/** Endpoints for people and keys of a store. */
const ACCESS = /^(api_keys|team|invitations)\./

/** @param {string} name @param {string} comment @param {(entry: { e: Endpoint, prefix: string }) => boolean} isIn */
function interfaceFile(name, comment, isIn) {
  const body = entries.filter(isIn).flatMap(operationOf)
  const imports = importOf(body.join('\n'))
  return [HEAD, ...imports, '', `/** ${comment} */`, `export interface ${name} {`, ...body, '}', '']
}

const records = Object.entries(book.components).flatMap(([name, schema]) => [
  ...commentOf([/** @type {any} */ (schema).description ?? ''], ''),
  `export type ${name} = ${typeOf(/** @type {any} */ (schema))}`,
  '',
])

/** @type {Record<string, string[]>} */
const files = {
  'records.gen.ts': [HEAD, '', ...records],
  'user.gen.ts': interfaceFile(
    'UserOperations',
    'Endpoints of the signed-in user.',
    ({ prefix }) => prefix === '',
  ),
  'access.gen.ts': interfaceFile(
    'AccessOperations',
    'Endpoints of a store for its team and its API keys.',
    ({ e, prefix }) => prefix !== '' && ACCESS.test(e.id),
  ),
  'store.gen.ts': interfaceFile(
    'StoreOperations',
    'Endpoints of a store that only the dashboard has.',
    ({ e, prefix }) => prefix !== '' && !ACCESS.test(e.id),
  ),
  'permissions.gen.ts': [
    HEAD,
    '',
    '/** The areas of the Store API; each has the permissions `<area>:read` and `<area>:write`. */',
    'export const PERMISSION_AREAS = [',
    ...AREAS.map((area) => `  '${area}',`),
    '] as const',
    '',
  ],
  'operations.gen.ts': [
    HEAD,
    "import type { AccessOperations } from './access.gen.ts'",
    "import type { StoreOperations } from './store.gen.ts'",
    "import type { UserOperations } from './user.gen.ts'",
    '',
    "export type * from './records.gen.ts'",
    '',
    "/** The dashboard's own endpoints, below `/dashboard/api`. Answers have `success: true` too. */",
    'export interface DashboardOperations',
    '  extends UserOperations,',
    '    AccessOperations,',
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
