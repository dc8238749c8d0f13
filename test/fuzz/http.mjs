// Our reader of answers against the parser of Node's own HTTP client: the same bytes, in the same pieces.
//
//   npm run fuzz:http -- [--inputs 100000] [--seed 1]
import { parseArgs } from 'node:util'
import { compare } from './compare.mjs'
import { readCorpus } from './corpus.mjs'

// Built from TypeScript: `npm run fuzz:http` builds what is stale.
const READER = new URL('../../dist/sender/answer-reader.js', import.meta.url)
const { AnswerReader } = await import(READER.href)

const { values } = parseArgs({
  options: {
    inputs: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
  },
})
const inputs = Number(values.inputs)
const seed = Number(values.seed)
const corpus = readCorpus().map(({ answer }) => answer)
const say = (/** @type {string} */ line) => process.stdout.write(`${line}\n`)

const began = performance.now()
const { counts, faults } = compare(AnswerReader, { inputs, seed, corpus })
const took_s = (performance.now() - began) / 1_000

for (const [name, count] of [...counts].sort(([, a], [, b]) => b - a)) {
  say(`${String(count).padStart(10)}  ${name}`)
}
for (const fault of faults) say(JSON.stringify(fault))
const failed = counts.get('fault') ?? 0
say(`${inputs} answers in ${Math.round(took_s)} s, seed ${seed}, ${failed} faults.`)
process.exitCode = failed > 0 ? 1 : 0
