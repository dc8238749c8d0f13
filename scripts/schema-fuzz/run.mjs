// Calls every operation of both OpenAPI documents with valid and invalid input, and compares the answers with
// the documents.
//
//   npm run fuzz:schema
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startServer } from '../../bench/lib/server.mjs'
import { exportSeed, SEED } from '../../test/chance.mjs'
import { EXPLAINED } from './explained.mjs'
import { readReport, unexplainedFindings } from './findings.mjs'
import { installSchemathesis, runSchemathesis } from './schemathesis.mjs'

const PROGRAM = fileURLToPath(new URL('../../bin/tradepost.mjs', import.meta.url))
const WITHOUT_DNS = new URL('without-dns.mjs', import.meta.url).href

const print = (/** @type {string} */ line) => process.stdout.write(`${line}\n`)

print(exportSeed())
const program = installSchemathesis()
const folder = mkdtempSync(join(tmpdir(), 'tradepost-schema-'))
/** @type {(() => unknown)[]} */
const cleanups = [() => rmSync(folder, { recursive: true, force: true })]
let failed = 0
let passed = 0
try {
  const server = await startServer((/** @type {() => unknown} */ step) => cleanups.push(step), {
    dataDir: folder,
    nodeOptions: ['--import', WITHOUT_DNS],
  })
  for (const { name, document, headers } of await documentsOf(server)) {
    const report = join(folder, 'report.ndjson')
    const startedAt = performance.now()
    await runSchemathesis(program, { document, headers, seed: SEED, report })
    const { cases, operations, findings } = readReport(report)
    const faults = unexplainedFindings(findings, EXPLAINED)
    for (const finding of faults) print(`FAILED: ${JSON.stringify(finding)}`)
    const documented = await countOperations(document)
    if (operations !== documented) {
      print(`FAILED: ${operations} of ${documented} operations were called.`)
      failed++
    }
    const seconds = Math.round((performance.now() - startedAt) / 1_000)
    const explained = findings.length - faults.length
    print(
      `${name}: ${operations} operations, ${cases} calls in ${seconds} s, ${explained} findings explained`,
    )
    failed += faults.length
    passed += operations - new Set(faults.map(({ operation }) => operation)).size
  }
} finally {
  for (const step of cleanups.reverse()) await step()
}
print(`${passed} passed, ${failed} failed`)
process.exit(failed > 0 ? 1 : 0)

/** Returns both documents with API keys of the test side that have no rate limit. */
async function documentsOf({ ready, env, origin }) {
  const store = ready.stores.find((side) => !side.livemode).id
  const keyOf = async (kind) => {
    const options = ['--store', store, '--permissions', 'all', '--rate-limit', '0', '--json']
    const args = [PROGRAM, 'keys', 'create', '--kind', kind, ...options]
    const { stdout } = await promisify(execFile)(process.execPath, args, { env })
    return JSON.parse(stdout).key
  }
  return [
    {
      name: 'Store API',
      document: `${origin}/openapi.json`,
      headers: { 'x-api-key': await keyOf('store'), 'x-store-hash': store },
    },
    {
      name: 'Client Security API',
      document: `${origin}/security/openapi.json`,
      headers: { Authorization: `Bearer ${await keyOf('security')}` },
    },
  ]
}

/** @param {string} document */
async function countOperations(document) {
  const { paths } = await (await fetch(document)).json()
  const isMethod = (name) => /^(get|put|post|delete|patch|head|options)$/.test(name)
  return Object.values(paths).flatMap((path) => Object.keys(path).filter(isMethod)).length
}
