// Calls every operation of both OpenAPI documents as their schemas allow, and as they forbid, and compares
// what the server answers with what the documents say.
//
//   npm run fuzz:schema -- [--seed 1]
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { startServer } from '../../bench/lib/shop.mjs'
import { EXPLAINED } from './explained.mjs'
import { readReport, unexplained } from './findings.mjs'
import { installSchemathesis, runSchemathesis } from './schemathesis.mjs'

const RUN_MS = 8 * 60_000
const PROGRAM = fileURLToPath(new URL('../../bin/tradepost.mjs', import.meta.url))
const NO_NAMES = new URL('no-names.mjs', import.meta.url).href

const { values } = parseArgs({ options: { seed: { type: 'string', default: '1' } } })
const say = (/** @type {string} */ line) => process.stdout.write(`${line}\n`)

const program = installSchemathesis()
const folder = mkdtempSync(join(tmpdir(), 'tradepost-schema-'))
/** @type {(() => unknown)[]} */
const endings = [() => rmSync(folder, { recursive: true, force: true })]
let failed = 0
let passed = 0
try {
  const server = await startServer((/** @type {() => unknown} */ end) => endings.push(end), {
    dataDir: folder,
    nodeOptions: ['--import', NO_NAMES],
  })
  for (const { name, document, headers } of await documentsOf(server)) {
    const report = join(folder, 'report.ndjson')
    const signal = AbortSignal.timeout(RUN_MS)
    const began = performance.now()
    await runSchemathesis(program, { document, headers, seed: Number(values.seed), report }, signal)
    const { cases, operations, findings } = readReport(report)
    const left = unexplained(findings, EXPLAINED)
    for (const finding of left) say(`FAILED: ${JSON.stringify(finding)}`)
    const documented = await countOperations(document)
    if (operations !== documented) {
      say(`FAILED: ${operations} of ${documented} operations were called.`)
      failed++
    }
    const seconds = Math.round((performance.now() - began) / 1_000)
    const explained = findings.length - left.length
    say(
      `${name}: ${operations} operations, ${cases} calls in ${seconds} s, ${explained} findings explained`,
    )
    failed += left.length
    passed += operations - new Set(left.map(({ operation }) => operation)).size
  }
} finally {
  for (const end of endings.reverse()) await end()
}
say(`${passed} passed, ${failed} failed`)
process.exit(failed > 0 ? 1 : 0)

/** Both documents with keys of the test side, without a rate limit. */
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
