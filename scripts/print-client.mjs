// Prints the clients of the Store API and of the management half of the Client Security API from their
// endpoints, and the programs that check their types. With --check it fails if a file is stale.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { printOpenApi } from '../dist/http/openapi/print.js'
import { securityOpenApiSteps } from '../dist/http/openapi/print-security.js'
import { CODES } from '../dist/kernel/errors.js'
import { runAtOnce } from '../dist/kernel/slices.js'
import { securityDownloads, securityEndpoints } from '../dist/surfaces/security-api.js'
import { storeEndpoints } from '../dist/surfaces/store-api.js'
import { printClient, printEveryOperation, STORE_API } from './client-printer.mjs'

/** @typedef {import('./client-printer.mjs').Endpoint} Endpoint */

const ROOT = new URL('../', import.meta.url)
const STORE = 'sdk/client/api/'
const MANAGEMENT = 'sdk/client-security/management/api/'
const MANAGEMENT_API = {
  title: 'the Client Security API',
  client: 'Management',
  about: 'The management half of the Client Security API, by area.',
  shared: '../../../client/',
}

const files = new Map([...storeFiles(), ...managementFiles()])
const existing = [STORE, MANAGEMENT].flatMap((folder) => {
  mkdirSync(new URL(folder, ROOT), { recursive: true })
  return readdirSync(new URL(folder, ROOT)).map((name) => folder + name)
})
if (process.argv.includes('--check')) check()
else print()

/** @returns {[string, string][]} */
function storeFiles() {
  const document = printOpenApi(storeEndpoints, { serverUrl: '', version: '', events: {} })
  const client = printClient(storeEndpoints, document, {
    codes: Object.keys(CODES),
    api: STORE_API,
  })
  return [
    ...[...client].map(([name, text]) => /** @type {[string, string]} */ ([STORE + name, text])),
    ['test/client/every-operation.gen.ts', printEveryOperation(storeEndpoints, document)],
  ]
}

/** @returns {[string, string][]} */
function managementFiles() {
  const steps = securityOpenApiSteps({
    management: securityEndpoints,
    downloads: securityDownloads,
    runtime: [],
    serverUrl: '',
    version: '',
  })
  const document = runAtOnce(steps)
  const downloads = securityDownloads.map((download) => ({
    ...download,
    method: 'GET',
    response: { meta: () => undefined },
    errors: [],
  }))
  const endpoints = /** @type {Endpoint[]} */ ([...securityEndpoints, ...downloads])
  const client = printClient(endpoints, document, { api: MANAGEMENT_API })
  const from = '../../sdk/client-security/management/index.ts'
  return [
    ...[...client].map(
      ([name, text]) => /** @type {[string, string]} */ ([MANAGEMENT + name, text]),
    ),
    [
      'test/client/every-management-operation.gen.ts',
      printEveryOperation(endpoints, document, { ...MANAGEMENT_API, from }),
    ],
  ]
}

function print() {
  for (const name of existing) if (!files.has(name)) rmSync(new URL(name, ROOT))
  for (const [name, text] of files) writeFileSync(new URL(name, ROOT), text)
}

function check() {
  /** @param {string} name */
  const isFresh = (name) => {
    const exists = existing.includes(name) || name.startsWith('test/')
    return exists && readFileSync(new URL(name, ROOT), 'utf8') === files.get(name)
  }
  const stale = [...new Set([...existing, ...files.keys()])].filter((name) => !isFresh(name))
  for (const name of stale) process.stderr.write(`${name} is stale: run \`npm run sdk:types\`.\n`)
  if (stale.length > 0) process.exitCode = 1
}
