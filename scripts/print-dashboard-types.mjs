// Prints the types of the dashboard's own endpoints: sdk/dashboard/operations.gen.ts. With --check
// it fails if the file is stale.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { userEndpoints } from '../dist/features/installation/index.js'
import { isBodyRequired } from '../dist/http/endpoint.js'
import { openSchemaRegistry } from '../dist/http/openapi/schemas.js'
import { runAtOnce } from '../dist/kernel/slices.js'
import { dashboardEndpoints } from '../dist/surfaces/dashboard/dashboard-api.js'
import { commentOf, typeOf } from './type-printer.mjs'

const FILE = new URL('../sdk/dashboard/operations.gen.ts', import.meta.url)

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

const lines = [
  '// Written by `npm run sdk:types` from the endpoints of the dashboard. Do not edit.',
  '',
  ...Object.entries(book.components).flatMap(([name, schema]) => [
    ...commentOf([/** @type {any} */ (schema).description ?? ''], ''),
    `export type ${name} = ${typeOf(/** @type {any} */ (schema))}`,
    '',
  ]),
  "/** The dashboard's own endpoints, below `/dashboard/api`. Answers have `success: true` too. */",
  'export interface DashboardOperations {',
  ...entries.flatMap(operationOf),
  '}',
  '',
]
const text = lines.join('\n')

if (!process.argv.includes('--check')) {
  mkdirSync(new URL('.', FILE), { recursive: true })
  writeFileSync(FILE, text)
} else if (readFileSync(FILE, 'utf8') !== text) {
  process.stderr.write('sdk/dashboard/operations.gen.ts is stale: run `npm run sdk:types`.\n')
  process.exitCode = 1
}
