// Compares the tables of docs/specification.md with the built program: operations, permissions, error codes,
// event types and payloads, and the fields of shapes with their types and limits. Needs `npm run build`. With
// --write it writes the tables instead.
import { readFileSync, writeFileSync } from 'node:fs'
import { EVENT_TYPES, PUBLIC_EVENTS } from '../dist/events/types.js'
import { clientEndpoints } from '../dist/features/licensing/index.js'
import { CODES } from '../dist/kernel/errors.js'
import { PERMISSIONS } from '../dist/kernel/permissions.js'
import { openDocuments } from '../dist/surfaces/documents.js'
import { securityEndpoints } from '../dist/surfaces/security-api.js'
import { storeEndpoints } from '../dist/surfaces/store-api.js'
import { describe } from './describe-schema.mjs'

const FILE = new URL('../docs/specification.md', import.meta.url)
const documents = openDocuments('', 'http://localhost/v1')
/** @type {any} */
const store = await documents.store()
/** @type {any} */
const security = await documents.security()

/** @param {readonly { method: string, path: string, permission: string }[]} endpoints */
const operationRows = (endpoints) =>
  endpoints.map(({ method, path, permission }) => [
    method,
    path.replace(/:(\w+)/g, '{$1}'),
    permission,
  ])

/** @type {Record<string, { head: string[], rows: string[][] }>} */
const tables = {
  operations: { head: ['Method', 'Path', 'Permission'], rows: operationRows(storeEndpoints) },
  management: { head: ['Method', 'Path', 'Permission'], rows: operationRows(securityEndpoints) },
  permissions: { head: ['Permission'], rows: PERMISSIONS.map((name) => [name]) },
  codes: {
    head: ['Status', 'Code'],
    rows: Object.entries(CODES).map(([code, status]) => [String(status), code]),
  },
  events: {
    head: ['Type', 'When'],
    rows: EVENT_TYPES.map((type) => [type, PUBLIC_EVENTS[type].description]),
  },
  payloads: {
    head: ['Type', '`data.object`'],
    rows: EVENT_TYPES.map((type) => [type, payloadOf(type)]),
  },
  runtime: {
    head: ['Method', 'Path', 'Session'],
    rows: clientEndpoints.map(({ method, path, session }) => [
      method,
      `/client/{public_id}${path.replace(/:(\w+)/g, '{$1}')}`,
      session,
    ]),
  },
  shapes: { head: ['Shape', 'Fields'], rows: shapesOf(store) },
  'security-shapes': { head: ['Shape', 'Fields'], rows: shapesOf(security) },
}

/** @param {any} document */
function shapesOf({ components }) {
  return Object.entries(components.schemas)
    .filter(([, { properties }]) => properties)
    .map(([name, schema]) => [name, describe(schema)])
}

/** @param {string} type */
function payloadOf(type) {
  const { schema } = store.webhooks[type].post.requestBody.content['application/json']
  const { data } = schema.allOf[1].properties
  return describe(data.properties.object)
}

let text = readFileSync(FILE, 'utf8')
let differences = 0
for (const [name, { head, rows }] of Object.entries(tables)) {
  const pattern = new RegExp(`(<!-- table: ${name} -->\n)([^]*?)(<!-- end: ${name} -->)`)
  const lines = rows.map((row) => `| ${row.map((cell) => `\`${cell}\``).join(' | ')} |`)
  const match = pattern.exec(text)
  if (!match) {
    report(`the table ${name} is missing`)
    continue
  }
  if (process.argv.includes('--write')) {
    const headings = [`| ${head.join(' | ')} |`, `| ${head.map(() => ':-').join(' | ')} |`]
    text = text.replace(pattern, (_, start, __, end) =>
      [`${start}${headings[0]}`, headings[1], ...lines, end].join('\n'),
    )
    continue
  }
  const documented = (match[2] ?? '').trim().split('\n').slice(2)
  for (const line of documented)
    if (!lines.includes(line)) report(`${name}: not in the program: ${line}`)
  for (const line of lines) if (!documented.includes(line)) report(`${name}: missing: ${line}`)
  if (new Set(documented).size !== documented.length) report(`${name}: a row is repeated`)
}
if (process.argv.includes('--write')) writeFileSync(FILE, text)
if (differences > 0) process.exitCode = 1

/** @param {string} difference */
function report(difference) {
  differences++
  process.stderr.write(`docs/specification.md: ${difference}\n`)
}
