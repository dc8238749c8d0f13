import { readFileSync } from 'node:fs'

/**
 * @typedef {object} Finding
 * @property {string} operation such as `POST /orders`
 * @property {string} check the check of Schemathesis that failed
 * @property {number | undefined} status undefined if no answer came
 * @property {string} message the error of the answer, or the beginning of its body
 * @property {string} request the first call with this finding
 *
 * @typedef {object} Explanation
 * @property {string} check
 * @property {RegExp} message
 * @property {RegExp} [operation]
 * @property {string} reason
 */

/**
 * Reads the report of a run. Findings with the same operation, check and message are one finding.
 *
 * @param {string} file
 * @returns {{ cases: number, operations: number, findings: Finding[] }}
 */
export function readReport(file) {
  const events = readFileSync(file, 'utf8').split('\n').filter(Boolean).map(parse)
  const scenarios = events.flatMap(({ ScenarioFinished }) => ScenarioFinished?.recorder ?? [])
  const findings = new Map()
  for (const { label, checks = {}, interactions } of scenarios) {
    for (const [id, results] of Object.entries(checks)) {
      for (const { name, status } of results) {
        if (status !== 'failure') continue
        const finding = findingOf(label, name, interactions[id])
        const key = `${finding.operation} ${finding.check} ${finding.message}`
        if (!findings.has(key)) findings.set(key, finding)
      }
    }
  }
  const errors = events.flatMap(
    ({ NonFatalError, FatalError }) => NonFatalError ?? FatalError ?? [],
  )
  for (const error of errors) findings.set(JSON.stringify(error), errorFinding(error))
  return {
    cases: scenarios.reduce((sum, { checks = {} }) => sum + Object.keys(checks).length, 0),
    operations: new Set(scenarios.map(({ label }) => label)).size,
    findings: [...findings.values()],
  }
}

const parse = (/** @type {string} */ line) => JSON.parse(line)

/**
 * @param {string} operation
 * @param {string} check
 * @param {any} interaction a request and its answer, as the report has them
 * @returns {Finding}
 */
function findingOf(operation, check, { request, response }) {
  const answer = response ? textOf(response.content) : ''
  return {
    operation,
    check,
    status: response?.status_code,
    message: messageOf(answer),
    request: `${request.method} ${request.uri} ${textOf(request.body)}`.slice(0, 500),
  }
}

/**
 * @param {any} error the error that ended the run or a part of it
 * @returns {Finding}
 */
const errorFinding = (error) => ({
  operation: error.label ?? 'the run',
  check: 'error',
  status: undefined,
  message: JSON.stringify(error).slice(0, 500),
  request: '',
})

const textOf = (/** @type {{ $base64?: string } | undefined} */ content) =>
  Buffer.from(content?.$base64 ?? '', 'base64').toString('utf8')

/** @param {string} answer */
function messageOf(answer) {
  try {
    const { error, details } = JSON.parse(answer)
    // The sentence of the Store API begins with the field; its message in the list does not.
    return details?.errors?.[0]?.message ?? error ?? answer.slice(0, 200)
  } catch {
    return answer.slice(0, 200)
  }
}

/**
 * Returns the findings that no explanation covers.
 *
 * @param {readonly Finding[]} findings
 * @param {readonly Explanation[]} explanations
 */
export const unexplainedFindings = (findings, explanations) =>
  findings.filter((finding) => !explanations.some((explanation) => covers(explanation, finding)))

/**
 * @param {Explanation} explanation
 * @param {Finding} finding
 */
function covers({ check, message, operation = /./ }, finding) {
  return (
    check === finding.check &&
    message.test(finding.message) &&
    operation.test(finding.operation) &&
    (finding.status ?? 500) < 500
  )
}
