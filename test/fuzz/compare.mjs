import { createChance } from '../chance.mjs'
import { classify } from './differences.mjs'
import { divide, generateAnswer } from './generate.mjs'
import { verdictOfNode, verdictOfOurs } from './verdicts.mjs'

/** @typedef {{ answer: string, pieces: number[], ours: object, node: object }} Fault */

/** The maximum number of faults that are returned. All faults are counted. */
const FAULTS_MAX = 10

/**
 * Generates answers, and reads each with both readers in the same pieces.
 *
 * @param {Parameters<typeof verdictOfOurs>[0]} AnswerReader
 * @param {{ inputs: number, seed: number, corpus: readonly string[] }} options
 * @returns {{ counts: Map<string, number>, faults: Fault[] }}
 */
export function compare(AnswerReader, { inputs, seed, corpus }) {
  const random = createChance(seed)
  /** @type {Map<string, number>} */
  const counts = new Map()
  /** @type {Fault[]} */
  const faults = []
  for (let n = 0; n < inputs; n++) {
    const text = generateAnswer(random, corpus)
    const pieces = divide(random, Buffer.from(text, 'latin1'))
    const ours = verdictOfOurs(AnswerReader, pieces)
    const node = verdictOfNode(pieces)
    const name = classify({ text, ours, node })
    counts.set(name, (counts.get(name) ?? 0) + 1)
    if (name === 'fault' && faults.length < FAULTS_MAX) {
      faults.push({ answer: text, pieces: pieces.map(({ length }) => length), ours, node })
    }
  }
  return { counts, faults }
}
