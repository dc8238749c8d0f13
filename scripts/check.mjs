// Checks types, style, imports, the packed client and the language. Runs two checks at a time and prints the
// output of failed checks. `npm run check -- types` runs only the checks whose names contain "types".
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const BIN = join(ROOT, 'node_modules', '.bin')

/** The compiler of TypeScript 7, which needs a sixth of the time of version 6. Tools that import the compiler need version 6. */
const TSC = 'node node_modules/typescript-7/bin/tsc'

/** The checks, the slowest first, so that no slow check runs alone at the end. @type {[name: string, command: string][]} */
const CHECKS = [
  ['style', 'biome check --error-on-warnings .'],
  ['types of the program', `${TSC} --noEmit`],
  ['imports', 'depcruise --config .dependency-cruiser.cjs src dashboard/src sdk'],
  ['language', "node scripts/check-language.mjs . ':!docs/WORDS.md' ':!docs/specification.md'"],
  ['the packed client', 'node scripts/check-package.mjs'],
  ['types of the dashboard', `${TSC} -p dashboard`],
  ['types of the client', `${TSC} --noEmit -p sdk`],
  ['types of the reference', `${TSC} --noEmit -p src/reference/assets`],
  ['texts of the dashboard', 'node scripts/check-texts.mjs'],
  ['chance and time in tests', 'node scripts/check-tests.mjs'],
  ['the diagram of the architecture', 'node scripts/print-architecture.mjs --check'],
]

const filter = process.argv[2] ?? ''
const queue = CHECKS.filter(([name]) => name.includes(filter))
let failed = queue.length === 0

/** Runs one check after the other until the queue is empty. */
async function worker() {
  for (let next = queue.shift(); next; next = queue.shift()) {
    const [name, command] = next
    const startedAt = Date.now()
    const { status, output } = await run(command)
    const seconds = ((Date.now() - startedAt) / 1000).toFixed(1)
    process.stdout.write(`${status === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)\n`)
    if (status === 0) continue
    failed = true
    process.stdout.write(`${output}\n`)
  }
}

/**
 * @param {string} command
 * @returns {Promise<{ status: number | null, output: string }>}
 */
function run(command) {
  const env = { ...process.env, PATH: `${BIN}:${process.env.PATH}` }
  const child = spawn(command, { cwd: ROOT, env, shell: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  return new Promise((resolve) => {
    child.on('close', (status) => resolve({ status, output }))
  })
}

await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, worker))
process.exitCode = failed ? 1 : 0
