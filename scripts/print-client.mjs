// Prints the client of the Store API from its endpoints: sdk/client/api/, and the program that
// checks its types. With --check it fails if a file is stale.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { printOpenApi } from '../dist/http/openapi/print.js'
import { CODES } from '../dist/kernel/errors.js'
import { storeEndpoints } from '../dist/surfaces/store-api.js'
import { printClient, printEveryOperation } from './client-printer.mjs'

const ROOT = new URL('../', import.meta.url)
const API = 'sdk/client/api/'
const document = printOpenApi(storeEndpoints, { serverUrl: '', version: '', events: {} })
const client = printClient(storeEndpoints, document, Object.keys(CODES))
const files = new Map([
  ...[...client].map(([name, text]) => /** @type {const} */ ([API + name, text])),
  ['test/client/every-operation.gen.ts', printEveryOperation(storeEndpoints, document)],
])

mkdirSync(new URL(API, ROOT), { recursive: true })
const there = readdirSync(new URL(API, ROOT)).map((name) => API + name)
if (process.argv.includes('--check')) check()
else print()

function print() {
  for (const name of there) if (!files.has(name)) rmSync(new URL(name, ROOT))
  for (const [name, text] of files) writeFileSync(new URL(name, ROOT), text)
}

function check() {
  /** @param {string} name */
  const isFresh = (name) =>
    there.includes(name) || !name.startsWith(API)
      ? readFileSync(new URL(name, ROOT), 'utf8') === files.get(name)
      : false
  const stale = [...new Set([...there, ...files.keys()])].filter((name) => !isFresh(name))
  for (const name of stale) process.stderr.write(`${name} is stale: run \`npm run sdk:types\`.\n`)
  if (stale.length > 0) process.exitCode = 1
}
