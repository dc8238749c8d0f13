// Compares our reader of answers with the parser of Node's HTTP client. Both read the same bytes in the same pieces.
//
//   npm run fuzz:http -- [--inputs 100000]
import { parseArgs } from 'node:util'
import { SEED } from '../chance.mjs'
import { compare } from './compare.mjs'
import { readCorpus } from './corpus.mjs'

// `npm run fuzz:http` builds this file from TypeScript.
const READER = new URL('../../dist/sender/answer-reader.js', import.meta.url)
const { AnswerReader } = await import(READER.href)

const { values } = parseArgs({
  options: {
    inputs: { type: 'string', default: '100000' },
  },
})
const inputs = Number(values.inputs)
const corpus = readCorpus().map(({ answer }) => answer)
const print = (/** @type {string} */ line) => process.stdout.write(`${line}\n`)

const begun = performance.now()
const { counts, faults } = compare(AnswerReader, { inputs, seed: SEED, corpus })
const duration_s = (performance.now() - begun) / 1_000

for (const [name, count] of [...counts].sort(([, count], [, other]) => other - count)) {
  print(`${String(count).padStart(10)}  ${name}`)
}
for (const fault of faults) print(JSON.stringify(fault))
const failed = counts.get('fault') ?? 0
print(`${inputs} answers in ${Math.round(duration_s)} s, SEED=${SEED}, ${failed} faults.`)
process.exitCode = failed > 0 ? 1 : 0
