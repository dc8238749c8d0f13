import { judge } from './differences.mjs'
import { answerOf, piecesOf, randomOf } from './generate.mjs'
import { verdictOfNode, verdictOfOurs } from './verdicts.mjs'

/** @typedef {{ answer: string, pieces: number[], ours: object, node: object }} Fault */

/** Shown in full; all are counted. */
const SHOWN_MAX = 10

/**
 * Reads as many answers with both, in the same pieces.
 *
 * @param {Parameters<typeof verdictOfOurs>[0]} AnswerReader
 * @param {{ inputs: number, seed: number, corpus: readonly string[] }} options
 * @returns {{ counts: Map<string, number>, faults: Fault[] }}
 */
export function compare(AnswerReader, { inputs, seed, corpus }) {
  const random = randomOf(seed)
  /** @type {Map<string, number>} */
  const counts = new Map()
  /** @type {Fault[]} */
  const faults = []
  for (let n = 0; n < inputs; n++) {
    const text = answerOf(random, corpus)
    const pieces = piecesOf(random, Buffer.from(text, 'latin1'))
    const found = { text, ours: verdictOfOurs(AnswerReader, pieces), node: verdictOfNode(pieces) }
    const name = judge(found)
    counts.set(name, (counts.get(name) ?? 0) + 1)
    if (name === 'fault' && faults.length < SHOWN_MAX) {
      const { ours, node } = found
      faults.push({ answer: text, pieces: pieces.map(({ length }) => length), ours, node })
    }
  }
  return { counts, faults }
}
