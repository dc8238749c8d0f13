// Compares the tables of docs/specification.md with the built program, in both directions: operations, permissions,
// error codes, event types and fields of shapes. Needs `npm run build`. With --write it prints the tables anew.
import { readFileSync, writeFileSync } from 'node:fs'
import { EVENT_TYPES, PUBLIC_EVENTS } from '../dist/events/types.js'
import { PERMISSIONS } from '../dist/features/installation/api-keys/index.js'
import { printOpenApi } from '../dist/http/openapi/print.js'
import { CODES } from '../dist/kernel/errors.js'
import { securityEndpoints } from '../dist/surfaces/security-api.js'
import { storeEndpoints } from '../dist/surfaces/store-api.js'

const FILE = new URL('../docs/specification.md', import.meta.url)
const { components } = printOpenApi(storeEndpoints, { serverUrl: '', version: '', events: {} })

/** @param {readonly { method: string, path: string, permission: string }[]} endpoints */
const operations = (endpoints) =>
  endpoints.map(({ method, path, permission }) => [
    method,
    path.replace(/:(\w+)/g, '{$1}'),
    permission,
  ])

/** @type {Record<string, { head: string[], rows: string[][] }>} */
const tables = {
  operations: { head: ['Method', 'Path', 'Permission'], rows: operations(storeEndpoints) },
  management: { head: ['Method', 'Path', 'Permission'], rows: operations(securityEndpoints) },
  permissions: { head: ['Permission'], rows: PERMISSIONS.map((name) => [name]) },
  codes: {
    head: ['Status', 'Code'],
    rows: Object.entries(CODES).map(([code, status]) => [String(status), code]),
  },
  events: {
    head: ['Type', 'When'],
    rows: EVENT_TYPES.map((type) => [type, PUBLIC_EVENTS[type].description]),
  },
  shapes: {
    head: ['Shape', 'Fields'],
    rows: Object.entries(components.schemas ?? {})
      .map(([name, schema]) => [
        name,
        Object.keys(/** @type {any} */ (schema).properties ?? {}).join(', '),
      ])
      .filter(([, fields]) => fields !== ''),
  },
}

let text = readFileSync(FILE, 'utf8')
let differences = 0
for (const [name, { head, rows }] of Object.entries(tables)) {
  const pattern = new RegExp(`(<!-- table: ${name} -->\n)([^]*?)(<!-- end: ${name} -->)`)
  const lines = rows.map((row) => `| ${row.map((cell) => `\`${cell}\``).join(' | ')} |`)
  const found = pattern.exec(text)
  if (!found) {
    report(`the table ${name} is missing`)
    continue
  }
  if (process.argv.includes('--write')) {
    const top = [`| ${head.join(' | ')} |`, `| ${head.map(() => ':-').join(' | ')} |`]
    text = text.replace(pattern, (_, start, __, end) =>
      [`${start}${top[0]}`, top[1], ...lines, end].join('\n'),
    )
    continue
  }
  const written = (found[2] ?? '').trim().split('\n').slice(2)
  for (const line of written) if (!lines.includes(line)) report(`${name}: only here: ${line}`)
  for (const line of lines) if (!written.includes(line)) report(`${name}: not here: ${line}`)
  if (new Set(written).size !== written.length) report(`${name}: a row is repeated`)
}
if (process.argv.includes('--write')) writeFileSync(FILE, text)
if (differences > 0) process.exitCode = 1

/** @param {string} what */
function report(what) {
  differences++
  process.stderr.write(`docs/specification.md: ${what}\n`)
}
